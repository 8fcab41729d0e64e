"""The layers of a compile as a table: what ran, what changed, what comes in and goes out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..dump.layers import CONST_EVAL
from .census import dialects, ops
from .changes import changes
from .predecessor import dump_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..dump.dump import Dump
    from ..dump.snapshot import Snapshot
    from ..dump.trace import Trace
    from .changes import Change

__all__ = ["LayerRow", "LayerTable", "layers"]

_DIALECTS = 4
"most frequent dialects that the text form shows"
# Functions that are dispatched, in the order in which the forms replace each other (3.13).
_DISPATCHED = (
    "flow.executable.export",
    "stream.executable.export",
    "hal.executable.export",
    "flow.dispatch.workgroups",
    "flow.dispatch.region",
)


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer of a compile."""

    name: str
    guessed: bool
    "some of its snapshots are there by a best fit, not by a marker"
    snapshots: int
    passes: tuple[str, ...]
    "different passes that ran, in order of first occurrence"
    changed: int
    "snapshots whose pass changed something"
    changed_passes: tuple[str, ...]
    "different passes that changed something, in order of first occurrence"
    ops_in: Mapping[str, int]
    "ops by dialect of the whole program as it comes in, most frequent first"
    ops_out: Mapping[str, int]
    "the same as it goes out"
    dispatches: int
    "functions that are dispatched, in the program as it goes out"

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.snapshots} snapshots of {len(self.passes)} passes, "
            f"{self.changed} changed something; {_short(self.ops_in)} → {_short(self.ops_out)}"
        )

    __repr__ = __str__


class LayerTable(tuple[LayerRow, ...]):
    """All layers, in order of first occurrence."""

    __slots__ = ()

    def named(self, name: str) -> LayerRow:
        """The row of a layer.

        Raises:
            KeyError: there is no such layer.
        """
        for row in self:
            if row.name == name:
                return row
        raise KeyError(name)

    def __str__(self) -> str:
        rows = [("layer", "snapshots", "passes", "changed", "dispatches", "goes out as")]
        rows += [
            (
                row.name + ("?" if row.guessed else ""),
                str(row.snapshots),
                str(len(row.passes)),
                str(row.changed),
                str(row.dispatches),
                _short(row.ops_out),
            )
            for row in self
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if k in (0, 5) else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        )

    __repr__ = __str__


def layers(source: Dump | Trace) -> LayerTable:
    """The table of layers of a trace or a dump.

    What comes in is what the layer before lets out; of a trace's first layer it is the program.
    What counts as changed is said at `changes`.
    """
    dump = dump_of(source)
    found = changes(source)
    program = getattr(source, "input", "")
    flows: Mapping[str, int] = dialects(program) if program else {}
    rows = []
    for name in dump.layers:
        mine = [snapshot for snapshot in dump if snapshot.layer == name]
        whole = [snapshot for snapshot in mine if _is_whole(snapshot)]
        comes_in = flows
        if whole and (name == CONST_EVAL or not comes_in):
            comes_in = dialects(dump.text(whole[0]))
        last = dump.text(whole[-1]) if whole else ""
        goes_out = dialects(last) if whole else comes_in
        if name != CONST_EVAL:
            flows = goes_out
        rows.append(_row(mine, [found[s.index] for s in mine], comes_in, goes_out, ops(last)))
    return LayerTable(rows)


def _is_whole(snapshot: Snapshot) -> bool:
    """The body is the whole program; of a failed pass, in generic form, that is not known."""
    if snapshot.header.failed:
        return False
    if snapshot.header.op is not None:
        return True
    return snapshot.op in ("module", "builtin.module") and snapshot.dispatch is None


def _row(
    mine: Sequence[Snapshot],
    found: Sequence[Change],
    comes_in: Mapping[str, int],
    goes_out: Mapping[str, int],
    out: Counter[str],
) -> LayerRow:
    return LayerRow(
        name=mine[0].layer,
        guessed=any(snapshot.guessed for snapshot in mine),
        snapshots=len(mine),
        passes=tuple(dict.fromkeys(snapshot.name for snapshot in mine)),
        changed=sum(change.changed for change in found),
        changed_passes=tuple(dict.fromkeys(c.name for c in found if c.changed)),
        ops_in=comes_in,
        ops_out=goes_out,
        dispatches=next((out[form] for form in _DISPATCHED if out[form]), 0),
    )


def _short(counts: Mapping[str, int]) -> str:
    shown = [f"{name} {count}" for name, count in list(counts.items())[:_DIALECTS]]
    rest = len(counts) - len(shown)
    return " ".join([*shown, f"+{rest}"] if rest > 0 else shown) or "–"
