"""Which ops and dialects a text holds, counted without parsing it.

Three quarters of the snapshots at op scope do not parse alone, so the counts are read from the
printed text: an op's name stands first on its line, after its results. Ops that are not printed
are not counted: terminators that the syntax implies (`scf.yield` of a loop without results, the
end of an executable) and the body of a named op (the `arith.mulf` in a `linalg.matmul`). All
other counts are those of the real parser; a test compares them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from .predecessor import dump_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from ..dump.dump import Dump
    from ..dump.trace import Trace

__all__ = ["Census", "census", "dialects", "ops"]

# The first word of a line, after results (3.13):
#   %7:2 = scf.for %arg3 = %c0 to …      %values, %indices = iree_linalg_ext.topk …
#   %30 = "torch.operator"(%29) …        util.func public @mlp(…) {       return %0 : f32
# and not the name of a resource:        torch_tensor_8_torch.float32: "0x04000000F7251ABE",
_OP = re.compile(
    r"[ \t]*(?:%[^=]*= )?"
    r'(?:"(?P<quoted>[A-Za-z_][\w$.-]*)"\(|(?P<op>[a-z_]\w*(?:\.[\w$-]+)*)(?![\w$.-]|: "))'
)
# Ops in a short region on the same line:
#   %reduced = linalg.reduce { arith.addf } ins(…)      %mapped = linalg.map { math.exp } ins(…)
#   %9 = vector.mask %8 { vector.reduction <add>, %7, %arg1 : vector<8xf32> into f32 } : …
_SHORT = re.compile(
    r"(?:linalg\.(?:reduce|map)|vector\.mask %[\w$.-]+(?:, %[\w$.-]+)?) \{ ([a-z_]\w*(?:\.\w+)+)"
)
# Ops whose dialect is left out where it is the default of the op around (3.13):
_SHORTENED = {
    "module": "builtin.module",
    "unrealized_conversion_cast": "builtin.unrealized_conversion_cast",
    "return": "func.return",
    "call": "func.call",
    "call_indirect": "func.call_indirect",
    "constant": "func.constant",
}
_MAX_LINES = 40


@dataclass(frozen=True, eq=False)
class Census:
    """Ops per dialect over the snapshots of a dump."""

    dialects: tuple[str, ...]
    "most frequent first"
    counts: npt.NDArray[np.int32]
    "one row per dialect, one column per snapshot"
    names: tuple[str, ...]
    "pass of each column"
    bands: tuple[tuple[str, int, int], ...]
    "runs of columns of one layer: name, first, one past the last"

    def of(self, dialect: str) -> npt.NDArray[np.int32]:
        """Counts of one dialect over the snapshots; zeros if it does not occur."""
        if dialect not in self.dialects:
            return np.zeros(len(self.names), np.int32)
        row: npt.NDArray[np.int32] = self.counts[self.dialects.index(dialect)]
        return row

    def life(self, dialect: str) -> tuple[int, int] | None:
        """First and last snapshot in which a dialect occurs, None if it does not."""
        found = np.flatnonzero(self.of(dialect))
        return (int(found[0]), int(found[-1])) if len(found) else None

    def __str__(self) -> str:
        if not self.dialects:
            return "no ops"
        width = max(len(name) for name in self.dialects)
        lines = [f"{'dialect':{width}}  {'most':>6}  first…last snapshot"]
        for name, row in zip(self.dialects, self.counts, strict=True):
            first, last = self.life(name) or (0, 0)
            lines.append(f"{name:{width}}  {int(row.max()):6}  {first}…{last}")
        if len(lines) > _MAX_LINES:
            rest = len(lines) - _MAX_LINES + 1
            lines = [*lines[: _MAX_LINES - 1], f"… {rest} more dialects"]
        return "\n".join(lines)

    __repr__ = __str__


def ops(text: str) -> Counter[str]:
    """How often each op occurs, by its full name (`arith.addf`), most frequent first."""
    counts: Counter[str] = Counter()
    for line, times in Counter(text.split("\n")).items():
        for name in _names(line):
            counts[name] += times
    return Counter(dict(counts.most_common()))


def dialects(text: str) -> Counter[str]:
    """How many ops of each dialect occur, most frequent first."""
    counts: Counter[str] = Counter()
    for name, times in ops(text).items():
        counts[name.partition(".")[0]] += times
    return Counter(dict(counts.most_common()))


@lru_cache(maxsize=1 << 15)
def _names(line: str) -> tuple[str, ...]:
    """Ops on one line."""
    match = _OP.match(line)
    if match is None:
        return ()
    name = match["quoted"] or match["op"]
    if "." not in name:
        name = _SHORTENED.get(name, "")
    short = _SHORT.search(line)
    if short:
        return name, short[1]
    return (name,) if name else ()


_CENSUS: WeakKeyDictionary[Dump, Census] = WeakKeyDictionary()


def census(source: Dump | Trace) -> Census:
    """Ops per dialect in every snapshot; kept for as long as the dump lives."""
    dump = dump_of(source)
    if dump not in _CENSUS:
        _CENSUS[dump] = _census(dump)
    return _CENSUS[dump]


def _census(dump: Dump) -> Census:
    known: dict[str, Counter[str]] = {}
    for snapshot in dump:
        if snapshot.content not in known:
            known[snapshot.content] = dialects(dump.text(snapshot))
    total: Counter[str] = Counter()
    for counter in known.values():
        total.update(counter)
    names = tuple(sorted(total, key=lambda name: (-total[name], name)))
    counts = np.zeros((len(names), len(dump)), np.int32)
    columns: Mapping[str, list[int]] = {
        content: [counter[name] for name in names] for content, counter in known.items()
    }
    for at, snapshot in enumerate(dump):
        counts[:, at] = columns[snapshot.content]
    return Census(names, counts, tuple(s.name for s in dump), _bands(dump))


def _bands(dump: Dump) -> tuple[tuple[str, int, int], ...]:
    bands: list[tuple[str, int, int]] = []
    for at, snapshot in enumerate(dump):
        if bands and bands[-1][0] == snapshot.layer:
            bands[-1] = (snapshot.layer, bands[-1][1], at + 1)
        else:
            bands.append((snapshot.layer, at, at + 1))
    return tuple(bands)
