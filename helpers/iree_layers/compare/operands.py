"""Which aligned lines use other values than before, although they read the same without names.

Blanking value names hides real changes: `arith.addf %3, %4` against `arith.addf %3, %9`. So the
names of two aligned lines are paired where a value is defined, and every use must fit its pair.
Names of values whose definitions are not aligned (one was removed, one added) are paired at
their first use: an op that was replaced does not make all its users changed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["changed_operands"]

# A name, and what shows that the value is defined there (3.13):
#   %0:2 = scf.for %arg3 = %c0 to %c8 …          ` =` after it, also inside a line
#   ^bb0(%in: f32, %out: f32):  · util.func public @f(%arg0: tensor<4xf32>)      `:` right after
#   %values, %indices = iree_linalg_ext.topk …   left of the first ` = `
_TOKEN = re.compile(r"(%[\w$.-]+|\^bb\d+)(?::\d+)?( = |: )?")
# scf.forall (%arg3, %arg4) in (4, 8) · scf.parallel (%arg0) = (%c0) · affine.parallel (%i) = (0)
_LOOP = re.compile(r"(?:forall|parallel) \(([^)]*)\)")
# A line that opens a scope of names of its own:
#   util.func public @mlp(%input0: …) {   ·   util.initializer {   ·   hal.executable private @d {
# or that only gives names to arguments:
#   vm.import private @hal.buffer.assert(%buffer : !vm.ref<!hal.buffer>, …
_SCOPE = re.compile(r"\s*[\w.]+\.(?:func|initializer|import)\b|\s*[\w.]+ (?:\w+ )*@.*\{$")

_Token = tuple[str, bool]


@lru_cache(maxsize=1 << 16)
def _tokens(line: str) -> tuple[_Token, ...]:
    """Names in a line, in order, each with whether it is defined there."""
    found = _TOKEN.findall(line)
    start = line.lstrip()
    results = 0
    if start.startswith("%"):
        results = line.partition(" = ")[0].count("%")
    elif start.startswith("^"):
        results = 1
    return tuple([(name, at < results or bool(mark)) for at, (name, mark) in enumerate(found)])


def _opens_scope(line: str) -> bool:
    return (line.endswith("{") or "@" in line) and _SCOPE.match(line) is not None


class _Names:
    """Pairs of names that stand for the same value on both sides."""

    def __init__(self) -> None:
        self.forward: dict[str, str] = {}
        self.backward: dict[str, str] = {}
        self.renamed: set[str] = set()
        "names, of either side, whose partner has another name"
        self._waiting: dict[str, tuple[str, list[int]]] = {}
        "pairs that rest on uses alone, with the places of those"

    def clear(self) -> None:
        self.forward.clear()
        self.backward.clear()
        self.renamed.clear()
        self._waiting.clear()

    def same(self, names: Iterable[str]) -> None:
        """Names known to be the same on both sides, where nothing else is known."""
        for name in names:
            if name not in self.forward and name not in self.backward:
                self.forward[name] = self.backward[name] = name

    def define(self, x: str, y: str) -> list[int]:
        """Pair two definitions; returns places of earlier uses that do not fit."""
        wrong: list[int] = []
        waiting = self._waiting.pop(x, None)
        if waiting and waiting[0] != y:
            wrong = waiting[1]
        old_y, old_x = self.forward.get(x), self.backward.get(y)
        if old_y is not None and old_y != y:
            self.backward.pop(old_y, None)
        if old_x is not None and old_x != x:
            self.forward.pop(old_x, None)
        self.forward[x], self.backward[y] = y, x
        if x != y:
            self.renamed.update((x, y))
        else:
            self.renamed.discard(x)
        return wrong

    def known(self, x: str, y: str) -> bool:
        return x in self.forward or y in self.backward

    def fits(self, x: str, y: str) -> bool:
        return self.forward.get(x) == y and self.backward.get(y) == x

    def assume(self, x: str, y: str, place: int) -> None:
        """Pair two names at a use."""
        self.define(x, y)
        self._waiting[x] = (y, [place])

    def repeat(self, x: str, place: int) -> None:
        """Note another use of a pair that rests on uses alone."""
        if x in self._waiting:
            self._waiting[x][1].append(place)


def changed_operands(
    before: Sequence[str],
    after: Sequence[str],
    blocks: Sequence[tuple[int, int, int]],
    *,
    head: int,
    tail: int,
) -> list[tuple[int, int]]:
    """Aligned lines that are not the same op on the same values, as pairs of line indexes.

    Args:
        before: all lines of one side; likewise `after`.
        blocks: aligned runs (start, start, length), in order, without
            head and tail.
        head: number of lines at the start of both sides that are equal as they stand.
        tail: the same at the end.
    """
    check = _Check(before, after, head)
    for i, j, n in blocks:
        check.block(i, j, n)
    offset = len(after) - len(before)
    for i in range(len(before) - tail, len(before)):
        # Past the scope, and with nothing renamed, equal lines mean equal values.
        if not check.names.renamed:
            break
        check.line(i, i + offset)
    return sorted(check.wrong)


class _Check:
    """Walks over aligned lines and collects those with other operands."""

    def __init__(self, before: Sequence[str], after: Sequence[str], head: int) -> None:
        self.names = _Names()
        self.wrong: set[tuple[int, int]] = set()
        self._before, self._after = before, after
        self._places: list[tuple[int, int]] = []
        self._equal: list[int] = []
        "lines that were passed over: equal, and with nothing renamed in them"
        self._head = head
        "number of equal lines before the first one that is looked at, not learned yet"

    def block(self, i: int, j: int, n: int) -> None:
        """Compare the names of `n` aligned lines."""
        k = 0
        while k < n:
            if not self.names.renamed and self._before[i + k] == self._after[j + k]:
                run = k + 1
                while run < n and self._before[i + run] == self._after[j + run]:
                    run += 1
                self._pass_over(i + k, i + run)
                k = run
            else:
                self.line(i + k, j + k)
                k += 1

    def _pass_over(self, start: int, end: int) -> None:
        """Equal lines while nothing is renamed: only the scope they leave us in matters."""
        for i in range(end - 1, start - 1, -1):
            if _opens_scope(self._before[i]):
                self._enter()
                start = i
                break
        self._equal.extend(range(start, end))

    def _enter(self) -> None:
        self.names.clear()
        self._equal.clear()
        self._head = 0

    def line(self, i: int, j: int) -> None:
        """Compare the names of two aligned lines."""
        old, new = self._before[i], self._after[j]
        names = self.names
        if _opens_scope(new):
            self._enter()
        if old == new and (
            not names.renamed or names.renamed.isdisjoint([name for name, _ in _tokens(old)])
        ):
            self._equal.append(i)
            return
        pairs = list(zip(_tokens(old), _tokens(new), strict=False))
        place = len(self._places)
        self._places.append((i, j))
        # Uses first: an op cannot use its own result, and `%0 = f %0` may define a name anew.
        for (x, _), (y, defined) in pairs:
            if not defined and not self._used(x, y, place):
                self._misfit(x, y, place)
        for (x, _), (y, defined) in pairs:
            if defined:
                self._define(x, y)

    def _used(self, x: str, y: str, place: int) -> bool:
        names = self.names
        if names.fits(x, y):
            names.repeat(x, place)
            return True
        if x != y:
            self._learn()
        if names.known(x, y):
            return False
        names.assume(x, y, place)
        return True

    def _misfit(self, x: str, y: str, place: int) -> None:
        line = self._after[self._places[place][1]]
        loop = _LOOP.search(line)
        if loop and y in [name for name, _ in _tokens(loop[1])]:
            self._define(x, y)
        else:
            self.wrong.add(self._places[place])

    def _define(self, x: str, y: str) -> None:
        for place in self.names.define(x, y):
            self.wrong.add(self._places[place])

    def _learn(self) -> None:
        """Names in equal lines, back to where the scope begins, are the same on both sides."""
        for i in range(self._head - 1, -1, -1):
            self._equal.append(i)
            if _opens_scope(self._before[i]):
                break
        self._head = 0
        for i in self._equal:
            self.names.same(name for name, _ in _tokens(self._before[i]))
        self._equal.clear()
