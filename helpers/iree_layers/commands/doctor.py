"""`iree-layers doctor`: what works on this machine, and what to do."""

from __future__ import annotations

import argparse

from ..compile.doctor import doctor
from .facts import say

__all__ = ["run_doctor"]


def run_doctor(options: argparse.Namespace) -> int:
    """`iree-layers doctor`: exit 0 if all that the workbook needs is there."""
    report = doctor()
    say(options.json, report.as_json(), str(report))
    return 0 if report.ok else 1
