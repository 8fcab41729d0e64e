"""Where things are in a trace: the life of one tensor, and the rows of the TVM map.

Every line that is shown is searched for in the learner's own trace; only the search patterns and
the words beside them stand here. A pattern that finds nothing is an error, not a blank.
"""

from __future__ import annotations

import re

from iree_layers.dump import Trace
from iree_layers.errors import DumpError

# (phase, what the tensor is there, pattern of the line that shows it)
_LIFE = [
    ("input", "a value of type tensor", r"linalg\.matmul ins\(%arg0"),
    ("abi", "a view that the caller passes in", r"hal\.tensor\.import %arg0"),
    ("flow", "an operand of a dispatch", r"= flow\.dispatch @"),
    ("stream", "a resource: bytes, with a lifetime", r"stream\.tensor\.import .*%arg0 "),
    ("stream", "an argument of the commands: read-only", r"ro %arg3\["),
    ("executable-sources", "binding 0 of the kernel", r"binding\.subspan .* binding\(0\)"),
    ("executable-configurations", "a memref: memory with a layout", r"binding\(0\).*memref<"),
    (
        "executable-targets",
        "a pointer out of the dispatch state",
        r"llvm\.load %\d+ : !llvm\.ptr -",
    ),
    ("hal", "a buffer, taken out of the view", r"hal\.buffer_view\.buffer<%arg0"),
    ("vm", "a reference in a register", r"vm\.call @hal\.buffer_view\.buffer\(%arg0"),
]

# (row, TVM 0.6, IREE, phase, pattern)
_MAP = [
    ("M1", "Relay, FuseOps", "flow.dispatch.workgroups", "dispatch-creation", "flow.dispatch.work"),
    ("M2", "TE/TIR schedules", "lowering_config", "executable-configurations", "lowering_config<"),
    ("M3", "codegen", "LLVM dialect", "executable-targets", "llvm.func @"),
    ("M4", "graph runtime", "HAL calls", "hal", "hal.device.queue.execute"),
    ("M4", "early VM", "VM function", "vm", "vm.func private @mlp("),
    ("M5", "nothing", "stream.cmd.execute", "stream", "stream.cmd.execute"),
]


def steps(trace: Trace) -> list[tuple[str, str, str]]:
    """Phase, what the tensor x is there, and the line of the IR, for `show.life`.

    Raises:
        DumpError: a step is not in this trace; it is written for `mlp.mlir`.
    """
    return [(phase, what, _line(trace, phase, pattern)) for phase, what, pattern in _LIFE]


def tvm_map(trace: Trace) -> str:
    """One row per concept: TVM 0.6, IREE, and the line of this trace that shows it."""
    rows = []
    for row, tvm, iree, phase, text in _MAP:
        number, line = _find(trace, phase, re.escape(text))
        rows.append(f"{row}  {tvm:18} {iree:26} {phase}:{number}\n      {line[:96]}")
    return "\n".join(rows)


def without_targets(text: str) -> str:
    """A phase without the lines that define or name the device target."""
    #   #executable_target_embedded_elf_x86_64 = #hal.executable.target<…>         (3.13.0)
    #   util.global private @__device_0 = #device_target_local                      (3.13.0)
    target = re.compile(
        r"#(?:executable|device)_target_\w+ = |\s*util\.global private @__device_0 = "
    )
    return "\n".join(line for line in text.splitlines() if not target.match(line))


def without_constants(text: str) -> str:
    """A phase without the lines that only define a constant, to read the rest on one screen."""
    #   %c128 = arith.constant 128 : index      %c16 = vm.const.i32 16      (3.13.0)
    constant = re.compile(r"\s*%[\w-]+ = (?:arith\.constant|vm\.const\.)")
    return "\n".join(line for line in text.splitlines() if not constant.match(line))


def _line(trace: Trace, phase: str, pattern: str) -> str:
    return _find(trace, phase, pattern)[1]


def _find(trace: Trace, phase: str, pattern: str) -> tuple[int, str]:
    for number, line in enumerate(trace.phase(phase).splitlines(), start=1):
        if re.search(pattern, line):
            return number, line.strip()
    raise DumpError(
        f"no line like {pattern!r} in phase {phase} of {trace.program.name}",
        expected="a trace of stages/s2_pipeline/mlp.mlir made by IREE 3.13.0",
    )
