"""Where things are in a trace: the life of one tensor, and the rows of the TVM map.

Every line that is shown is searched for in the learner's own trace; only the search patterns and
the words beside them stand here, and they know the names of mlp.mlir. A pattern that finds nothing
is an error, not a blank.
"""

from __future__ import annotations

import re

from iree_layers.dump import Trace
from iree_layers.errors import DumpError

# (phase, what the tensor is there, pattern of the line that shows it)
_HOST = [
    ("input", "a value of type tensor", r"linalg\.matmul ins\(%arg0"),
    ("abi", "a view that the caller passes in", r"hal\.tensor\.import %arg0"),
    ("flow", "an operand of a dispatch", r"= flow\.dispatch @"),
    ("stream", "a resource: bytes, with a lifetime", r"stream\.tensor\.import .*%arg0 "),
    ("stream", "an argument of the commands: read-only", r"ro %arg3\["),
    ("hal", "a buffer, taken out of the view", r"hal\.buffer_view\.buffer<%arg0"),
    ("vm", "a reference in a register", r"vm\.call @hal\.buffer_view\.buffer\(%arg0"),
]
_DEVICE = [
    ("flow", "an argument of the kernel", r"func\.func @mlp_dispatch_0"),
    ("executable-sources", "binding 0 of the kernel", r"binding\.subspan .* binding\(0\)"),
    ("executable-configurations", "a memref: memory with a layout", r"binding\(0\).*memref<"),
    (
        "executable-targets",
        "a pointer out of the dispatch state",
        r"llvm\.load %\d+ : !llvm\.ptr -",
    ),
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


def steps(trace: Trace, *, device: bool = False) -> list[tuple[str, str, str]]:
    """Phase, what the tensor x is there, and the line of the IR, for `show.life`.

    Args:
        trace: a trace of mlp.mlir; the patterns know its names.
        device: inside the kernel; otherwise in the host's program.

    Raises:
        DumpError: a step is not in this trace.
    """
    road = _DEVICE if device else _HOST
    return [(phase, what, _line(trace, phase, pattern)) for phase, what, pattern in road]


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


def quiet(text: str) -> str:
    """A phase without what is on every line or says nothing new, to read the rest on one screen.

    Left out: lines that only define a constant; the device that an op is on (there is one only);
    the attributes of public functions.
    """
    #   %c128 = arith.constant 128 : index      %c16 = vm.const.i32 16               (3.13.0)
    constant = re.compile(r"\s*%[\w-]+ = (?:arith\.constant|vm\.const\.)")
    lines = [line for line in text.splitlines() if not constant.match(line)]
    #   stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : …  (3.13.0)
    text = "\n".join(lines).replace(" on(#hal.device.affinity<@__device_0>)", "")
    #   … -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {…}} {       (3.13.0)
    return re.sub(r" attributes \{iree\.abi\.stub.*\} \{$", " {", text, flags=re.MULTILINE)


def from_line(text: str, words: str) -> str:
    """The text from its first line with these words on.

    Raises:
        DumpError: no line has them.
    """
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if words in line:
            return "".join(lines[number:])
    raise DumpError(f"no line has {words!r}")


def lines_with(text: str, *words: str, each: int = 2, columns: int = 110) -> str:
    """For each of the words, the first `each` lines with it, unindented, cut to `columns`."""
    lines = text.splitlines()
    hits = [[k for k, line in enumerate(lines) if word in line][:each] for word in words]
    found = [lines[k].strip() for k in sorted({k for places in hits for k in places})]
    return "\n".join(line if len(line) <= columns else line[: columns - 1] + "…" for line in found)


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
