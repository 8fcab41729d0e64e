"""Where a dump holds a second compiler run inside the first: evaluation of constants.

With inline weights, a pass of the namespace `iree-consteval-` (3.13: `iree-consteval-jit-globals`)
compiles a small module of its own, and all its passes print into the same stream, without phase
markers. Its borders are read from the run: the nested program exports other functions than the
program, and it ends where the pass that started it prints, or where the program's own functions
come back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .dump import Dump
    from .snapshot import Snapshot

__all__ = ["nested_runs"]

_NAMESPACE = "iree-consteval-"

#   util.func public @jit_eval(%arg0: tensor<2x2xf32>, …             (3.13)
#   func.func @main(%arg0: !torch.vtensor<[4,8],f32>) -> …           (3.13, input)
_EXPORT = re.compile(rb"\n( *)(?:util|func)\.func (?:public )?@(\"[^\"\n]*\"|[\w$.-]+)\(")
_FUNCTION_OPS = ("util.func", "func.func")
#   module attributes {hal.device.targets = [#device_target_local1], iree.consteval} {      (3.13)
_MODULE_WITHIN = re.compile(rb"\n  (?:builtin\.)?module\b")
# Ops that a program has only at the end of a pipeline: in front of the pass that evaluates
# constants they can only be another program's.
_LATE_OPS = ("flow.executable", "stream.executable", "hal.executable", "vm.")


class _Exports:
    """Public functions at module level of a snapshot, remembered by content."""

    def __init__(self, dump: Dump) -> None:
        self._dump = dump
        self._known: dict[str, tuple[frozenset[bytes], bool]] = {}

    def of(self, snapshot: Snapshot) -> frozenset[bytes]:
        """Names; empty for a snapshot whose root is not a module."""
        return self._look(snapshot)[0]

    def inside(self, snapshot: Snapshot, own: frozenset[bytes]) -> bool | None:
        """True in the nested run, False in the outer one, None when the text does not say.

        Args:
            snapshot: the one to judge.
            own: public functions of the outer program.
        """
        names, module_within = self._look(snapshot)
        if snapshot.header.op is not None:  # module scope prints the outer module every time
            return module_within
        if names:
            return not names & own
        if snapshot.op in _FUNCTION_OPS and (snapshot.symbol or "").encode() in own:
            return False
        return None

    def _look(self, snapshot: Snapshot) -> tuple[frozenset[bytes], bool]:
        if snapshot.op not in ("module", "builtin.module"):
            return frozenset(), False
        known = self._known.get(snapshot.content)
        if known is None:
            body = self._dump.source.read(snapshot.body, snapshot.end)
            known = _export_names(body), _MODULE_WITHIN.search(body) is not None
            self._known[snapshot.content] = known
        return known


def _export_names(body: bytes) -> frozenset[bytes]:
    # Functions inside executables are indented deeper than those of the module.
    found = [(len(m[1]), m[2]) for m in _EXPORT.finditer(body)]
    least = min((indent for indent, _ in found), default=0)
    return frozenset(name for indent, name in found if indent == least)


def nested_runs(dump: Dump, phase_starts: Sequence[int] = ()) -> list[tuple[int, int]]:
    """Half-open ranges of snapshots that belong to a nested compiler run, in order.

    Args:
        dump: the dump; only bodies whose root is a module are read.
        phase_starts: indexes at which a compilation phase begins, where they are known.
    """
    snapshots = dump.snapshots
    exports = _Exports(dump)
    runs: list[tuple[int, int]] = []
    floor = 0
    for caller, snapshot in enumerate(snapshots):
        if not snapshot.header.argument.startswith(_NAMESPACE):
            continue
        floor = max([floor, *(start for start in phase_starts if start <= caller)])
        before = snapshots[caller].header.when == "Before"
        run = (
            _run_after(snapshots, exports, caller)
            if before
            else _run_before(snapshots, exports, floor, caller)
        )
        if run and run[0] < run[1] and (not runs or run[0] >= runs[-1][1]):
            runs.append(run)
        floor = max(caller + 1, runs[-1][1] if runs else 0)
    unfinished = _unfinished(snapshots, exports, max([floor, *phase_starts]))
    return [*runs, unfinished] if unfinished else runs


def _unfinished(
    snapshots: Sequence[Snapshot], exports: _Exports, floor: int
) -> tuple[int, int] | None:
    """A nested run cut short by a crash: the pipeline began again, on another program."""
    again = [i for i in range(floor, len(snapshots)) if _is_restart(snapshots[i], snapshots[0])]
    if not again:
        return None
    own = next((names for s in snapshots[floor:] if (names := exports.of(s))), frozenset())
    for i in again:
        if own and exports.inside(snapshots[i], own):
            return i, len(snapshots)
    return None


def _run_before(
    snapshots: Sequence[Snapshot], exports: _Exports, floor: int, caller: int
) -> tuple[int, int] | None:
    """The run that ends where the pass that made it prints its own result."""
    if not any(_is_late(s) or _is_restart(s, snapshots[0]) for s in snapshots[floor:caller]):
        return None  # without reading a body: most programs have nothing to evaluate
    own = exports.of(snapshots[caller])
    if not own:
        return None
    for i in range(floor, caller):
        if exports.inside(snapshots[i], own):
            return _back_over_functions(snapshots, i, floor, exports.of(snapshots[i])), caller
    return None


def _run_after(
    snapshots: Sequence[Snapshot], exports: _Exports, caller: int
) -> tuple[int, int] | None:
    """The run that starts right after `IR Dump Before` of the pass that makes it."""
    own = exports.of(snapshots[caller])
    seen = False
    for i in range(caller + 1, len(snapshots)):
        if snapshots[i].header.argument.startswith(_NAMESPACE):
            return (caller + 1, i) if seen else None
        inside = exports.inside(snapshots[i], own)
        if inside is False:
            return (caller + 1, i) if seen else None
        seen = seen or inside is True
    return (caller + 1, len(snapshots)) if seen else None


def _is_late(snapshot: Snapshot) -> bool:
    return (snapshot.header.op or snapshot.op or "").startswith(_LATE_OPS)


def _is_restart(snapshot: Snapshot, first: Snapshot) -> bool:
    """A pipeline begins with the pass that began the dump."""
    return snapshot.index > 0 and snapshot.header.argument == first.header.argument


def _back_over_functions(
    snapshots: Sequence[Snapshot], first: int, floor: int, names: frozenset[bytes]
) -> int:
    """Take in function passes that ran on the nested program before its first module pass."""
    symbols = {name.decode("utf-8", "replace").strip('"') for name in names}
    if snapshots[first].header.op is not None:
        return first
    while first > floor and (snapshots[first - 1].symbol or "") in symbols:
        first -= 1
    return first
