"""Bytes of a compiler run → snapshots with layers, every byte accounted for."""

from .dump import Dump, Report, open_dump
from .layers import assign
from .snapshot import Header, Noise, Snapshot
from .steps import Steps, opt, passes
from .store import load, save
from .trace import Trace, trace

__all__ = [
    "Dump",
    "Header",
    "Noise",
    "Report",
    "Snapshot",
    "Steps",
    "Trace",
    "assign",
    "load",
    "open_dump",
    "opt",
    "passes",
    "save",
    "trace",
]
