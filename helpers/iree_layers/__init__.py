"""IREE, layer by layer: what the compiler does to your program, and that the numbers stay."""

from .compile import (
    Target,
    build,
    checkpoints,
    doctor,
    program,
    run_tool,
    versions,
)
from .dump import load, open_dump, save, trace
from .execute import agree, contents, devices, run, run_command

__all__ = [
    "Target",
    "agree",
    "build",
    "checkpoints",
    "contents",
    "devices",
    "doctor",
    "load",
    "open_dump",
    "program",
    "run",
    "run_command",
    "run_tool",
    "save",
    "trace",
    "versions",
]
