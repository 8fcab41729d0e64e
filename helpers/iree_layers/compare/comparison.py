"""Two compiles side by side: which passes both ran, and the first after which the IR differs.

    c = compare(trace(program), trace(program, target.with_flags("--iree-opt-level=O2")))
    c.first, c.layers, c.diff(c.first)

Snapshots are paired by layer, pass and op, in their order (a longest common subsequence), with one
tolerance: executables may be numbered and named otherwise, so of `@mlp_dispatch_3_matmul_4x8_f32`
only `@mlp_dispatch` counts. Two texts of a pair are the same, differ in names and numbering only,
or differ, as `diff` says.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..dump.trace import Trace
from ..errors import DumpError
from .align import align
from .changes import changes
from .diff import diff
from .predecessor import dump_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..dump.dump import Dump
    from ..dump.snapshot import Snapshot
    from .difference import Diff

__all__ = ["Comparison", "Kind", "Pair", "Row", "compare"]

Kind = Literal["same", "renumbered", "different", "only a", "only b"]
# mlp_dispatch_3_matmul_4x8_f32     main$async_dispatch_0                                (3.13.0)
_NUMBERED = re.compile(r"(_dispatch)_\d+.*")


@dataclass(frozen=True, slots=True)
class Pair:
    """A pass of both compiles, or of one of them."""

    a: int | None
    "index of the snapshot in the first trace"
    b: int | None
    layer: str
    name: str
    "argument of the pass"
    kind: Kind
    changed: bool
    "the pass changed the IR, in at least one of the two"

    @property
    def matters(self) -> bool:
        """Here the two compiles part: the IR differs, or one has a pass that did something."""
        return self.kind == "different" or (self.kind.startswith("only") and self.changed)

    def __str__(self) -> str:
        where = " ".join(str(n) for n in (self.a, self.b) if n is not None)
        return f"{self.name} ({self.layer}, {where}): {self.kind}"


@dataclass(frozen=True, slots=True)
class Row:
    """How the two compare in one layer."""

    layer: str
    pairs: int
    same: int
    renumbered: int
    different: int
    only_a: int
    only_b: int


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every pass of two compiles, paired."""

    a: Dump = field(repr=False)
    b: Dump = field(repr=False)
    pairs: tuple[Pair, ...] = field(repr=False)
    inputs_differ: bool | None
    "the programs differ before any pass; None if one of the two is a dump alone"

    @cached_property
    def first(self) -> Pair | None:
        """The first pass at which the two part; None if they never do."""
        return next((pair for pair in self.pairs if pair.matters), None)

    @cached_property
    def layers(self) -> tuple[Row, ...]:
        """Counts by layer, in the order in which layers occur."""
        names = dict.fromkeys(pair.layer for pair in self.pairs)
        return tuple(self._row(name) for name in names)

    def _row(self, layer: str) -> Row:
        kinds = Counter(pair.kind for pair in self.pairs if pair.layer == layer)
        return Row(
            layer,
            sum(kinds.values()),
            kinds["same"],
            kinds["renumbered"],
            kinds["different"],
            kinds["only a"],
            kinds["only b"],
        )

    @property
    def equal(self) -> bool:
        """The two say the same after every pass, names and numbering apart."""
        return self.first is None and not self.inputs_differ

    def diff(self, pair: Pair) -> Diff:
        """The difference of the two texts of a pair; of a pass of one side, of it to nothing."""
        one = self.a.text(self.a[pair.a]) if pair.a is not None else ""
        two = self.b.text(self.b[pair.b]) if pair.b is not None else ""
        return diff(one, two)

    def options(self, pair: Pair) -> tuple[str, str]:
        """Options of the pass in both, as the headers print them; '' where there is none."""
        one = self.a[pair.a].header.options if pair.a is not None else ""
        two = self.b[pair.b].header.options if pair.b is not None else ""
        return one, two

    def __str__(self) -> str:
        if self.first is None:
            return "equal after every pass" if self.equal else "the programs differ, no pass does"
        same = self.pairs.index(self.first)
        return f"{same:,} passes alike, then {self.first}"


def compare(a: Trace | Dump, b: Trace | Dump) -> Comparison:
    """Pair the passes of two compiles, and compare the IR after each.

    Args:
        a: a trace or a dump.
        b: another: other flags, another target, an edited program.

    Raises:
        DumpError: one printed whole modules after every pass, the other the op of the pass; or a
            dump is empty.
    """
    one, two = dump_of(a), dump_of(b)
    _check_scope(one, two)
    inputs = None
    if isinstance(a, Trace) and isinstance(b, Trace):
        inputs = diff(a.input, b.input).changed
    ids: dict[tuple[str, ...], int] = {}
    left, right = ([ids.setdefault(_key(s), len(ids)) for s in dump] for dump in (one, two))
    blocks = align(np.array(left, np.int32), np.array(right, np.int32))
    return Comparison(one, two, tuple(_pairs(one, two, blocks)), inputs)


def _check_scope(one: Dump, two: Dump) -> None:
    for dump in (one, two):
        if not len(dump):
            raise DumpError(f"{dump.origin} has no snapshots", expected="a dump of all passes")
    # Only at module scope a header names the op.
    scopes = [any(snapshot.header.op for snapshot in dump) for dump in (one, two)]
    if scopes[0] != scopes[1]:
        raise DumpError(
            "one dump has the whole module after every pass, the other the op of the pass",
            expected="two of the same scope",
            todo="trace both with scope='op', or both with scope='module'",
        )


def _key(snapshot: Snapshot) -> tuple[str, ...]:
    header = snapshot.header
    op, symbol = header.op or snapshot.op, header.symbol or snapshot.symbol
    return (
        snapshot.layer,
        snapshot.name,
        header.when or "",
        op or "",
        _NUMBERED.sub(r"\1", symbol or ""),
    )


def _pairs(one: Dump, two: Dump, blocks: Sequence[tuple[int, int, int]]) -> Iterator[Pair]:
    did = [[change.changed for change in changes(dump)] for dump in (one, two)]
    known: dict[tuple[str, str], Kind] = {}
    i = j = 0
    for x, y, length in [*blocks, (len(one), len(two), 0)]:
        for k in range(i, x):
            yield Pair(k, None, one[k].layer, one[k].name, "only a", did[0][k])
        for k in range(j, y):
            yield Pair(None, k, two[k].layer, two[k].name, "only b", did[1][k])
        for k in range(length):
            first, second = one[x + k], two[y + k]
            kind = _kind(one, first, two, second, known)
            moved = did[0][x + k] or did[1][y + k]
            yield Pair(x + k, y + k, first.layer, first.name, kind, moved)
        i, j = x + length, y + length


def _kind(
    one: Dump, a: Snapshot, two: Dump, b: Snapshot, known: dict[tuple[str, str], Kind]
) -> Kind:
    if a.content == b.content:
        return "same"
    key = (a.content, b.content)
    if key not in known:
        known[key] = "different" if diff(one.text(a), two.text(b)).changed else "renumbered"
    return known[key]
