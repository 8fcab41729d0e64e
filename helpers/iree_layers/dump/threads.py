"""Was a dump printed by several threads at once? Then its order is not the order of passes.

Two traces of threads can be seen. Functions take turns: without threads a nested pipeline runs to
its end on one function before the next (IREE 3.13: 0 early returns in dumps of 737 to 1772
snapshots, dozens in the same runs with threads). And, in foreign dumps, texts run into each other.
"""

from __future__ import annotations

from .dump import Dump
from .snapshot import Snapshot

__all__ = ["interleaved"]

_FEW = 8
"Returns that may be chance: a dump of a few passes only (`--mlir-print-ir-after=…`) has some."

_TODO = "compile again with --mlir-disable-threading"


def interleaved(dump: Dump) -> str:
    """A warning of one sentence if threads mixed the dump, else ''."""
    if torn := _torn(dump):
        return (
            f"texts run into each other in {len(torn)} snapshots, the first is {torn[0].index} "
            f"({torn[0].name}): {_TODO}"
        )
    if (returns := _returns(dump.snapshots)) > _FEW:
        return (
            f"functions take turns {returns} times, so threads printed this dump and its order is "
            f"not the order of the passes: {_TODO}"
        )
    return ""


def _returns(snapshots: tuple[Snapshot, ...]) -> int:
    """How often a function comes back too early: after another one, with other passes run on it.

    In a dump of a few passes only, functions come back without threads too, for the next pipeline;
    but then the passes of one pipeline ran on each of them.
    """
    count = 0
    runs: dict[str, set[str]] = {}  # the passes of each function's latest run, oldest run first
    current = ""
    for each in snapshots:
        kind = (each.op or "").rpartition(".")[2]
        if kind == "initializer":
            continue
        if kind != "func" or each.symbol is None:
            runs.clear()
            current = ""
            continue
        if each.symbol != current:
            current = each.symbol
            if (before := runs.pop(current, None)) is not None:
                count += any(others != before for others in runs.values())
            runs[current] = set()
        runs[current].add(each.name)
    return count


def _torn(dump: Dump) -> list[Snapshot]:
    """Snapshots whose text starts or ends in the middle, the last one aside: it may be cut off."""
    begins: list[Snapshot] = []
    ends: list[Snapshot] = []
    known: dict[str, tuple[bool, bool]] = {}
    for each in dump.snapshots[:-1]:
        if each.content not in known:
            text = dump.ir(each)
            known[each.content] = (
                text[:1] in (b"", b" ", b"}"),
                not text[-4:].replace(b"\r", b"").endswith(b"\n\n"),
            )
        torn_start, torn_end = known[each.content]
        if torn_start:
            begins.append(each)
        elif torn_end:
            ends.append(each)
    # Another printer may end every text differently; only the odd ones out are suspicious.
    return begins + (ends if 2 * len(ends) < len(dump) else [])
