"""What a dump or a trace is, in a few lines and the strip of its layers: for a terminal."""

from __future__ import annotations

from ..dump.dump import Dump
from ..dump.folder import TreeDump
from ..dump.trace import Trace
from .strip import strip
from .text import count, cut, fit
from .view import View

__all__ = ["summary"]


def summary(source: Trace | Dump) -> View:
    """Counts, then the strip of layers; what failed or was not understood is said first."""
    dump = source.dump if isinstance(source, Trace) else source
    lines = [_head(source, dump)]
    if dump.failed:
        first = dump.failed[0]
        lines.append(f"failed: {first.name} in {first.layer} (snapshot {first.index})")
    if isinstance(dump, TreeDump) and dump.missing:
        lost = count(dump.missing, "snapshot")
        lines.append(f"{lost} lost: the compiler wrote others over them in this folder")
    if dump.noise_bytes:
        places = count(len(dump.noise), "place")
        lines.append(f"{dump.noise_bytes:,} bytes in {places} are not IR (warnings and the like)")
    if dump.unattributed_bytes:
        lines.append(f"{dump.unattributed_bytes:,} bytes belong to nothing: please report this")
    if any(snapshot.guessed for snapshot in dump):
        lines.append("layers are guessed: this dump has no phase markers")
    if not len(dump):
        lines.append("no snapshots: is this a dump of --mlir-print-ir-after-all?")
    # Names of files and of passes are somebody else's.
    lines = [cut(line) for line in lines]
    if not len(dump):
        return View("\n".join(lines))
    shown = strip(source)
    return View("\n".join(fit([*lines, "", *shown.text.split("\n")])), shown.html)


def _head(source: Trace | Dump, dump: Dump) -> str:
    if isinstance(source, Trace):
        name = f"{source.program.name} for {source.target.name}"
    else:
        name = dump.origin
    same = f"{dump.distinct:,} of them different"
    return f"{name}: {count(len(dump), 'snapshot')}, {same}, {dump.size:,} bytes"
