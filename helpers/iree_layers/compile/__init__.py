"""A program and a target → one run of the real compiler, and what it left behind."""

from .build import Built, build
from .capture import Capture, capture
from .checkpoints import Checkpoints, checkpoints
from .doctor import Check, Report, doctor
from .program import Program, program
from .statistics import Statistics, statistics
from .target import Target
from .toolchain import Command, Ran, Versions, run_tool, tool, versions

__all__ = [
    "Built",
    "Capture",
    "Check",
    "Checkpoints",
    "Command",
    "Program",
    "Ran",
    "Report",
    "Statistics",
    "Target",
    "Versions",
    "build",
    "capture",
    "checkpoints",
    "doctor",
    "program",
    "run_tool",
    "statistics",
    "tool",
    "versions",
]
