"""Faults that are planted for exercises: pairs of texts, and phase files with one bad edit."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from iree_layers.compile import Checkpoints, Target, checkpoints, program

HERE = Path(__file__).parent

_SUB = "  %0 = arith.subf %a, %b : f32\n  return %0 : f32\n"
_TWO = "  %c2 = arith.constant 2.0 : f32\n" + _SUB.replace("%b", "%c2")


def pairs() -> dict[str, tuple[str, str, bool]]:
    """What was done to a function, its text before and after, and: was it only renumbered?"""
    return {
        "a renamed value": (*_functions(_SUB, _SUB.replace("%0", "%diff")), True),
        "another operation": (*_functions(_SUB, _SUB.replace("subf", "divf")), False),
        "another type": (*_functions(_SUB, _SUB.replace("f32", "f64")), False),
        "another constant": (*_functions(_TWO, _TWO.replace("2.0", "3.0")), False),
        "swapped operands": (*_functions(_SUB, _SUB.replace("%a, %b", "%b, %a")), False),
        "two equal texts": (*_functions(_SUB, _SUB), False),
    }


def _functions(before: str, after: str) -> tuple[str, str]:
    body = "func.func @f(%a: f32, %b: f32) -> f32 {{\n{}}}\n"
    return body.format(before), body.format(after)


def phase_files(guilty: str | None) -> dict[str, Path]:
    """Phase files of @mlp: a comment in the second, and a wrong relu from `guilty` on.

    The files of the call before are written over.
    """
    files, wrong_now, saved = {}, False, _saved()
    for phase in ("input", "abi", "dispatch-creation", "flow", "executable-sources"):
        wrong_now = wrong_now or phase == guilty
        text = saved[phase].read_text()
        text = f"// touched\n{text}" if phase == "abi" else text
        text = text.replace("arith.maximumf", "arith.minimumf") if wrong_now else text
        files[phase] = saved[phase].with_name(f"mlp.planted.{phase}.mlir")
        files[phase].write_text(text)
    return files


@cache
def _saved() -> Checkpoints:
    """Kept, because it owns the folder that the planted files are in."""
    return checkpoints(program(HERE / "mlp.mlir"), Target.HOST)
