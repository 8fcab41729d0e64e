"""What TVM 0.6 would do with the same graph: groups of FuseOps, and the plan of GraphPlanMemory.

Both are written anew from the rules in TVM's source (`src/relay/pass/fuse_ops.cc`, its class
`GraphPartitioner`, and `src/relay/backend/graph_plan_memory.cc`, its class `StorageAllocator`).
Patterns of ops are those that `python/tvm/relay/op/` registers in 0.6.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from iree_layers.compare.schedule import Schedule

__all__ = ["GRAPHS", "PATTERNS", "Op", "Pattern", "groups", "plan"]


class Pattern(IntEnum):
    """How the outputs of an op depend on its inputs, from simple to unknown."""

    ELEMENTWISE = 0
    BROADCAST = 1
    INJECTIVE = 2
    REDUCTION = 3
    OUT_FUSABLE = 4
    OPAQUE = 8


@dataclass(frozen=True, slots=True)
class Op:
    """One call of a Relay op."""

    name: str
    takes: tuple[int, ...] = ()
    "numbers of the ops that it takes results of"


PATTERNS = {
    "add": Pattern.BROADCAST,
    "multiply": Pattern.BROADCAST,
    "divide": Pattern.BROADCAST,
    "nn.relu": Pattern.ELEMENTWISE,
    "nn.bias_add": Pattern.BROADCAST,
    "nn.dense": Pattern.OUT_FUSABLE,
    "nn.conv2d": Pattern.OUT_FUSABLE,
    "nn.max_pool2d": Pattern.OUT_FUSABLE,
    "nn.softmax": Pattern.OPAQUE,
    "transpose": Pattern.INJECTIVE,
    "nn.batch_flatten": Pattern.INJECTIVE,
    "strided_slice": Pattern.INJECTIVE,
    "sum": Pattern.REDUCTION,
}


def _chain(*names: str) -> tuple[Op, ...]:
    return tuple(Op(name, (k - 1,) if k else ()) for k, name in enumerate(names))


GRAPHS = {
    "digits MLP": _chain("nn.dense", "nn.bias_add", "nn.relu", "nn.dense", "nn.bias_add"),
    "digits CNN": _chain(
        *("nn.conv2d", "nn.bias_add", "nn.relu", "nn.max_pool2d") * 2,
        *("nn.batch_flatten", "nn.dense", "nn.bias_add"),
    ),
    "product, sum": _chain("nn.dense", "add"),
    "sum, product": _chain("add", "nn.dense"),
    "product, product": _chain("nn.dense", "nn.dense"),
    "product, transpose": _chain("nn.dense", "transpose"),
    "transpose, product": _chain("transpose", "nn.dense"),
    "product, row sums": _chain("nn.dense", "sum"),
    "row sums, divide": _chain("sum", "divide"),
    "row sums, column sums": (Op("sum"), Op("sum")),
    "product, half of it, double": _chain("nn.dense", "strided_slice", "add"),
    "one input, two products": (Op("nn.dense"), Op("nn.dense"), Op("add", (0, 1))),
}
"the programs of this stage as Relay has them, without constants"


def groups(ops: Sequence[Op]) -> list[list[int]]:
    """Groups of FuseOps: numbers of the ops that become one kernel each."""
    fuse = _Fuser(ops)
    for phase in (0, 1):
        for number in range(len(ops)):
            fuse.try_one(number, phase)
    found: dict[int, list[int]] = {}
    for number in range(len(ops)):
        found.setdefault(fuse.root(number), []).append(number)
    return list(found.values())


class _Fuser:
    """Joins an op with its post-dominator where the pattern of every path allows it."""

    def __init__(self, ops: Sequence[Op]) -> None:
        self.pattern = [PATTERNS[op.name] for op in ops]
        self.users: list[list[int]] = [[] for _ in ops]
        for number, op in enumerate(ops):
            for source in op.takes:
                self.users[source].append(number)
        self.joined = list(range(len(ops)))
        self.master = [p == Pattern.OUT_FUSABLE for p in self.pattern]
        self.after = [self._post_dominator(number) for number in range(len(ops))]

    def root(self, number: int) -> int:
        while self.joined[number] != number:
            number = self.joined[number]
        return number

    def _ends(self, number: int) -> frozenset[int]:
        """Ops that every way from here to the end passes."""
        ways = [self._ends(user) for user in self.users[number]]
        return frozenset({number}).union(frozenset.intersection(*ways) if ways else ())

    def _post_dominator(self, number: int) -> int | None:
        """The nearest op that all uses of the result lead to; a result that is returned has none.

        A program that returns an op's result beside others is not in `GRAPHS`.
        """
        return min(self._ends(number) - {number}, default=None)

    def try_one(self, number: int, phase: int) -> None:
        sink, kind = self.after[number], self.pattern[number]
        if self.master[number] and self.root(number) == number:
            kind = Pattern.OUT_FUSABLE  # it holds a product by now, and may not join another
        if sink is None or kind in (Pattern.OPAQUE, Pattern.REDUCTION):
            return
        edge = self._edge(number, sink)
        if self.root(number) == self.root(sink):
            return
        if kind == Pattern.OUT_FUSABLE:
            allowed = phase == 0 and edge == Pattern.ELEMENTWISE
            self._join(number, sink, allowed, lambda p, last: p <= Pattern.BROADCAST)
        elif kind <= Pattern.BROADCAST:
            allowed = edge <= Pattern.INJECTIVE or edge == Pattern.REDUCTION
            self._join(
                number,
                sink,
                allowed,
                lambda p, last: p <= (Pattern.OUT_FUSABLE if last else Pattern.INJECTIVE),
            )
        else:
            self._join(number, sink, phase == 1, lambda p, last: p <= Pattern.INJECTIVE)

    def _edge(self, number: int, sink: int) -> Pattern:
        """The pattern by which the sink takes the result, over all ways.

        A broadcast that takes an input of its own shape takes it element by element.
        """
        found = max(self.pattern[user] for user in self._between(number, sink))
        return Pattern.ELEMENTWISE if found == Pattern.BROADCAST else found

    def _between(self, number: int, sink: int) -> Iterator[int]:
        for user in self.users[number]:
            yield user
            if user != sink:
                yield from self._between(user, sink)

    def _join(
        self, number: int, sink: int, allowed: bool, fits: Callable[[Pattern, bool], bool]
    ) -> None:
        way = set(self._between(number, sink))
        groups_of = {each: self._pattern_of(each) for each in way}
        if not allowed or not all(fits(groups_of[each], each == sink) for each in way):
            return
        for each in {number, *way} - {sink}:
            here, there = self.root(each), self.root(sink)
            if here != there:
                self.joined[here] = there
                self.master[there] |= self.master[here]

    def _pattern_of(self, number: int) -> Pattern:
        """Of the group: one that holds a product is taken as that."""
        root = self.root(number)
        return Pattern.OUT_FUSABLE if self.master[root] else self.pattern[root]


def plan(found: Schedule) -> list[int]:
    """Sizes of the buffers that GraphPlanMemory would give the same commands, one after the other.

    A result asks for a buffer before the inputs of its op are given back; a free one fits if it is
    at most 16 times larger or smaller. Only values in between are counted.
    """
    kept = [each.name for each in found.resources if each.lifetime == "transient"]
    lives = [life for life in found.lives if life.resource in kept and life.writer is not None]
    sizes: list[int] = []
    free: list[tuple[int, int]] = []
    holds: dict[int, int] = {}
    for work in found.works:
        for k, life in enumerate(lives):
            if life.writer == work.number:
                holds[k] = _request(life.length, sizes, free)
        for k, life in enumerate(lives):
            if k in holds and max(life.readers, default=life.writer) == work.number:
                insort(free, (sizes[holds[k]], holds.pop(k)))
    return sizes


def _request(size: int, sizes: list[int], free: list[tuple[int, int]]) -> int:
    middle = bisect_left(free, (size, -1))
    low, high = bisect_left(free, (size // 16, -1)), bisect_right(free, (size * 16, len(sizes)))
    for at in [*range(middle, high), *range(middle - 1, low - 1, -1)]:
        _, buffer = free.pop(at)
        sizes[buffer] = max(size, sizes[buffer])
        return buffer
    sizes.append(size)
    return len(sizes) - 1
