"""What one pass did, by its name; and the lines of the host function that speak of the device."""

from __future__ import annotations

import re

from iree_layers.compare import before, changes, diff
from iree_layers.compare.difference import Diff
from iree_layers.dump import Snapshot, Trace
from iree_layers.errors import DumpError

__all__ = ["change_by", "host_after", "host_lines", "snapshot_of"]


def snapshot_of(t: Trace, name: str, nth: int = 0) -> Snapshot:
    """The nth snapshot of a pass that changed something.

    Raises:
        DumpError: the pass changed nothing, or not so often.
    """
    changed = [t[change.index] for change in changes(t).changed()]
    found = [snapshot for snapshot in changed if snapshot.name == name]
    if len(found) <= nth:
        raise DumpError(
            f"{name} changed something {len(found)} times", expected=f"more than {nth} times"
        )
    return found[nth]


def change_by(t: Trace, name: str, nth: int = 0) -> Diff:
    """The IR before and after that pass."""
    snapshot = snapshot_of(t, name, nth)
    return diff(before(t, snapshot.index).text, t.text(snapshot))


def host_after(t: Trace, name: str, *words: str) -> str:
    """`host_lines` of the IR after the first change by a pass."""
    return host_lines(t.text(snapshot_of(t, name)), *words)


def host_lines(text: str, *words: str, columns: int = 140) -> str:
    """Lines of the public host function that hold one of the words, without device and sizes."""
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if re.search(r"\bfunc public @", line))
    pad = re.match(r" *", lines[start])
    end = lines.index(f"{pad[0] if pad else ''}}}", start)
    kept = [_bare(line) for line in lines[start + 1 : end] if any(w in line for w in words)]
    indent = min((len(line) - len(line.lstrip()) for line in kept), default=0)
    cut = [line[indent:] for line in kept]
    return "\n".join(f"{x[: columns - 1]}…" if len(x) > columns else x for x in cut)


def _bare(line: str) -> str:
    """What stands on every line, and says nothing here, left out."""
    # on(#hal.device.affinity<@__device_0>)
    line = re.sub(r" on\(#hal\.device\.affinity<@__device_0>\)", "", line)
    # !stream.resource<transient>{%c16384}
    line = re.sub(r"(!stream\.resource<[\w*]+>)\{%\w+\}", r"\1", line)
    # @diamond_dispatch_0::@diamond_dispatch_0_matmul_64x64x64_f32
    return re.sub(r"@(\w+)::@\1_(\w+)", r"@\2", line)
