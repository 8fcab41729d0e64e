"""Other words beside HAL's: ops of Stream, counted, and nouns of TVM 0.6, each with a line of IR.

Both are searched for in the learner's own trace; a pattern that finds nothing is an error.
"""

from __future__ import annotations

import re

from iree_layers.compare import ops
from iree_layers.dump import Trace
from iree_layers.errors import DumpError

__all__ = ["lowered", "rows"]

# (op at the end of phase stream, what phase hal makes of it; 3.13.0)
_LOWERED = [
    ("stream.tensor.import", "hal.buffer_view.buffer"),
    ("stream.tensor.export", "hal.buffer_view.create"),
    ("stream.resource.alloca", "hal.device.queue.alloca"),
    ("stream.resource.dealloca", "hal.device.queue.dealloca"),
    ("stream.cmd.execute", "hal.device.queue.execute.indirect"),
    ("stream.cmd.dispatch", "hal.command_buffer.dispatch"),
    ("stream.timepoint.await", "hal.fence.await"),
]

# (TVM 0.6, phase, pattern of the line)
_ROWS = [
    ("TVMContext", "hal", r"hal\.devices\.get"),
    ("DeviceAPI::GetAttr", "hal", r"hal\.device\.query<%device_n"),
    ("NDArray, at the door", "hal", r"hal\.buffer_view\.buffer<"),
    ("NDArray, inside", "hal", r"\(%transient_buffer : !hal\.buffer\)\["),
    ("AllocWorkspace", "hal", r"hal\.device\.queue\.alloca"),
    ("PackedFunc of a kernel", "executable-sources", r"hal\.executable\.export"),
    ("launch, graph runtime", "hal", r"hal\.device\.queue\.execute"),
    ("target host", "vm", r"vm\.call(\.variadic)? @hal\.device\.queue\.execute"),
    ("import_module", "hal", r"hal\.executable\.binary"),
]


def lowered(trace: Trace) -> str:
    """Ops of the host program in `stream` and in `hal`, with how many there are of each."""
    before, after = (ops(trace.phase(phase)) for phase in ("stream", "hal"))
    return "\n".join(
        f"{before[old]} {old:25} → {after[new]} {new}" for old, new in _LOWERED if before[old]
    )


def rows(trace: Trace, *, columns: int = 112) -> str:
    """One row for each noun: TVM's, phase and line number, the line.

    Raises:
        DumpError: the trace has no such line.
    """
    found = []
    for tvm, phase, pattern in _ROWS:
        number, line = _find(trace, phase, pattern)
        shown = line if len(line) <= columns else line[: columns - 1] + "…"
        found.append(f"{tvm:23} {phase}:{number}\n    {shown}")
    return "\n".join(found)


def _find(trace: Trace, phase: str, pattern: str) -> tuple[int, str]:
    for number, line in enumerate(trace.phase(phase).splitlines(), start=1):
        if re.search(pattern, line):
            return number, line.strip()
    raise DumpError(
        f"no line like {pattern!r} in phase {phase}",
        expected="a trace of a program with one kernel, made by IREE 3.13.0",
    )
