"""Which layer every snapshot of a dump belongs to, decided from the run itself.

`--dump-compilation-phases-to=DIR` makes iree-compile run a pass `iree-util-dump-module` at the
end of each compilation phase, so a dump made with it says where each phase ends (checked on 3.1
to 3.13). With those markers the layer is a fact. Without them it is a best fit, `guessed=True`,
and a dump that shows no sign of IREE stays `unknown`. There is no table of pass names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..compile.phases import PHASES
from .dispatches import dispatches
from .guess import fit, fit_offset
from .nested import nested_runs
from .snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .dump import Dump

__all__ = ["CONST_EVAL", "MARKER", "UNKNOWN", "assign", "borders"]

MARKER = "iree-util-dump-module"
"the pass that iree-compile runs at the end of each phase"
CONST_EVAL = "const-eval"
"layer of the nested compiler run that evaluates constant expressions"
UNKNOWN = "unknown"

# {path=phases/mlp.4.global-optimization.mlir}        (3.12, 3.13; up to 3.11 there are no options)
_PATH = re.compile(r"\.(\d+)\.([a-z][a-z0-9-]*)\.mlir\s*\}?$")


@dataclass(frozen=True, slots=True)
class _Marker:
    index: int
    "index of the snapshot that closes the phase"
    number: int | None
    name: str | None
    "phase it closes; None if the header has no options (IREE up to 3.11)"


@dataclass(frozen=True, slots=True)
class _Segment:
    start: int
    end: int
    "half-open range of snapshots"
    phases: tuple[str, ...]
    "phases it may hold, in order; one name: that is a fact"


def assign(dump: Dump, *, only: str | None = None) -> Dump:
    """The same dump, with `layer`, `guessed` and `dispatch` of every snapshot filled in.

    A layer is one of the compiler's phase names, `const-eval`, or `unknown`. It is a fact
    unless the snapshot's `guessed` is set.

    Args:
        dump: what was indexed.
        only: the run compiled this phase alone. A resumed compile also puts markers of phases
            around it into the dump, which it does not run (3.13).
    """
    snapshots = dump.snapshots
    markers = _markers(snapshots)
    nested = nested_runs(dump, [m.index + 1 for m in markers])
    if only:
        layers, guessed = [only] * len(snapshots), [False] * len(snapshots)
    else:
        layers, guessed = _layers(dump, markers, nested)
    for start, end in nested:
        layers[start:end] = [CONST_EVAL] * (end - start)
        guessed[start:end] = [not markers] * (end - start)
    whole = [m.index for m in markers] if markers else _modules(snapshots)
    owners = dispatches(dump, whole)
    return replace(dump, snapshots=tuple(map(_with, snapshots, layers, guessed, owners)))


def _with(s: Snapshot, layer: str, guessed: bool, dispatch: str | None) -> Snapshot:
    # dataclasses.replace takes three times as long, and a large dump has ten thousand snapshots.
    return Snapshot(
        s.index, s.header, s.start, s.body, s.end, s.content, s.same_as, s.op, s.symbol,
        layer, guessed, dispatch,
    )  # fmt: skip


def _modules(snapshots: Sequence[Snapshot]) -> list[int]:
    return [i for i, s in enumerate(snapshots) if s.op == "module" and s.same_as is None]


def borders(dump: Dump) -> tuple[tuple[str, int, int], ...]:
    """Runs of neighbours with the same layer: (layer, first index, number of snapshots)."""
    runs: list[tuple[str, int, int]] = []
    for position, snapshot in enumerate(dump.snapshots):
        if runs and runs[-1][0] == snapshot.layer:
            name, first, count = runs[-1]
            runs[-1] = (name, first, count + 1)
        else:
            runs.append((snapshot.layer, position, 1))
    return tuple(runs)


def _layers(
    dump: Dump, markers: Sequence[_Marker], nested: Sequence[tuple[int, int]]
) -> tuple[list[str], list[bool]]:
    total = len(dump.snapshots)
    if markers and markers[0].name is not None:
        segments = _named_segments(markers, total)
    elif len(markers) == len(PHASES):
        numbered = [
            replace(m, number=k, name=PHASES[k - 1]) for k, m in enumerate(markers, start=1)
        ]
        segments = _named_segments(numbered, total)
    elif markers:
        # A resumed or cut run of IREE up to 3.11: borders are facts, their names are not.
        return fit_offset(dump, [m.index + 1 for m in markers], nested), [True] * total
    else:
        segments = [_Segment(0, total, PHASES)]
    if all(len(s.phases) == 1 for s in segments):
        return [s.phases[0] for s in segments for _ in range(s.start, s.end)], [False] * total
    names = fit(dump, [(s.start, s.end, s.phases) for s in segments], nested)
    facts = [len(s.phases) == 1 for s in segments for _ in range(s.start, s.end)]
    return names, [not fact and name != UNKNOWN for fact, name in zip(facts, names, strict=True)]


def _markers(snapshots: Sequence[Snapshot]) -> list[_Marker]:
    """Snapshots that close a phase: printed after the marker pass, else the ones before it."""
    found = [(i, s.header) for i, s in enumerate(snapshots) if s.header.argument == MARKER]
    after = [(i, header) for i, header in found if header.when == "After"]
    # --mlir-print-ir-after-change never prints the marker (it changes nothing); asked for with
    # --mlir-print-ir-before=iree-util-dump-module it stands at the same border.
    markers = []
    for index, header in after or found:
        match = _PATH.search(header.options)
        number, name = (int(match[1]), match[2]) if match else (None, None)
        markers.append(_Marker(index, number, name))
    if any(m.name is None for m in markers):
        return [replace(m, number=None, name=None) for m in markers]
    return markers


def _named_segments(markers: Sequence[_Marker], total: int) -> list[_Segment]:
    segments = []
    start, previous = 0, None
    for marker in markers:
        phases = _between(previous, marker)
        segments.append(_Segment(start, marker.index, phases))
        # Whatever is lost before it, the marker itself belongs to the phase it closes.
        segments.append(_Segment(marker.index, marker.index + 1, phases[-1:]))
        start, previous = marker.index + 1, marker
    if start < total:
        segments.append(_Segment(start, total, (_following(markers[-1]),)))
    return segments


def _between(previous: _Marker | None, marker: _Marker) -> tuple[str, ...]:
    """Phases that lie after one marker, up to and with the next one."""
    assert marker.name is not None
    if previous is None or previous.number is None or marker.number is None:
        return (marker.name,)
    if marker.number <= previous.number + 1:
        return (marker.name,)
    # Markers in between are lost (somebody cut the dump): any of the phases is possible.
    if previous.name in PHASES and marker.name in PHASES:
        possible = PHASES[PHASES.index(previous.name) + 1 : PHASES.index(marker.name) + 1]
        return possible or (UNKNOWN,)
    return (UNKNOWN,)


def _following(marker: _Marker) -> str:
    """The phase in progress after a marker: the one in which a crash or a cut happened."""
    if marker.name not in PHASES:
        return UNKNOWN
    return PHASES[min(PHASES.index(marker.name) + 1, len(PHASES) - 1)]
