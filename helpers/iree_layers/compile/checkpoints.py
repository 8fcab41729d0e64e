"""Phase files that can be compiled on: one silent run, all constants kept.

The phases of a trace are for reading: long constants are cut out of them. These are whole, so each
can be edited and resumed, with `build(path, target)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .phases import phase_before, phase_files
from .resume import check_start
from .scratch import Scratch
from .target import Target
from .toolchain import Command, run_tool

if TYPE_CHECKING:
    from .program import Program

__all__ = ["Checkpoints", "checkpoints"]


@dataclass(frozen=True, eq=False)
class Checkpoints(Mapping[str, Path]):
    """Phase name → the whole module at the end of that phase, in the compiler's order."""

    files: Mapping[str, Path]
    vmfb: Path
    "the module of the same run, for comparison"
    target: Target
    command: Command

    def __getitem__(self, phase: str) -> Path:
        if phase not in self.files:
            phase_before(phase)  # says so if there is no such phase at all
        return self.files[phase]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __repr__(self) -> str:
        return f"Checkpoints({len(self)} phases for {self.target.name})"


def checkpoints(
    program: Program, target: Target = Target.HOST, *, folder: Path | None = None
) -> Checkpoints:
    """Compile once without printing, and keep the module at the end of each of the 12 phases.

    Rests on `--dump-compilation-phases-to` (3.13.0).

    Args:
        program: what to compile.
        target: for whom; give the same one to `build` when you go on from a phase.
        folder: new or empty folder to work in and to keep.

    Raises:
        ProgramError: this is IR of a phase, whose work would be lost (see `resume`).
        CompileError: the compiler said no (`CompilerCrash`: it died); with its words.
    """
    check_start(program.name, program.source)
    scratch = Scratch(folder)
    (scratch.path / program.file_name).write_bytes(program.source)
    made = f"{program.name}.vmfb"
    ran = run_tool(
        *("iree-compile", program.file_name, "-o", made, *target.flags, *program.flags),
        "--dump-compilation-phases-to=phases",
        cwd=scratch.path,
    )
    found = phase_files(scratch.path / "phases")
    files = {phase: scratch.hold(path) for phase, path in found.items()}
    return Checkpoints(files, scratch.hold(scratch.path / made), target, ran.command)
