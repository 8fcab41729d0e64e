"""IREE, layer by layer: what the compiler does to your program, and that the numbers stay."""

from .compare import before, census, changes, compare, diff, find, graph, kernels, layers, schedule
from .compile import (
    Target,
    build,
    checkpoints,
    doctor,
    program,
    run_tool,
    statistics,
    versions,
)
from .dump import load, open_dump, opt, passes, save, trace
from .execute import agree, child, contents, device_line, devices, record, run, run_command

__all__ = [
    "Target",
    "agree",
    "before",
    "build",
    "census",
    "changes",
    "checkpoints",
    "child",
    "compare",
    "contents",
    "device_line",
    "devices",
    "diff",
    "doctor",
    "find",
    "graph",
    "kernels",
    "layers",
    "load",
    "open_dump",
    "opt",
    "passes",
    "program",
    "record",
    "run",
    "run_command",
    "run_tool",
    "save",
    "schedule",
    "statistics",
    "trace",
    "versions",
]
