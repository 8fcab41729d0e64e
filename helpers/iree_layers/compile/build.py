"""Compile without printing: a program, or a phase file that is resumed, to a `.vmfb`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CompileError, ProgramError
from .phases import PHASES, is_cut, phase_before, phase_of
from .program import Program
from .program import program as program_of
from .resume import check_start, doubt
from .scratch import Scratch
from .target import Target
from .toolchain import Command, run_tool

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Built", "build"]


@dataclass(frozen=True)
class Built:
    """What one silent compile made."""

    vmfb: Path
    "the module for the runtime; IR (`.mlir`, or bytecode `.mlirbc`) with `compile_to`"
    command: Command
    seconds: float
    "wall time"
    stderr: str
    "warnings and remarks"
    owner: Scratch = field(repr=False, compare=False)
    "the folder, deleted when neither this nor a path from here is held any more"


def build(
    program: Program | Path | str,
    target: Target = Target.HOST,
    *,
    compile_from: str | None = None,
    compile_to: str | None = None,
    flags: Sequence[str] = (),
    folder: Path | None = None,
    bytecode: bool = False,
    timeout: float | None = None,
) -> Built:
    """Compile in a scratch folder, with bare file names.

    Args:
        program: a program, a phase file such as `mlp.6.flow.mlir`, or another path or text that
            `program()` takes.
        target: for whom; the target that a phase file was made for must be given again.
        compile_from: phase that the input has been through; a phase file's name says it.
        compile_to: stop after this phase and write IR.
        flags: more flags of iree-compile.
        folder: new or empty folder to work in and to keep.
        bytecode: write that IR as bytecode, without loss and small.
        timeout: seconds until the compiler is killed.

    Raises:
        ProgramError: no such phase, constants were cut out of the phase file, or its work is
            scheduled already and `compile_from` is no phase from `stream` on.
        CompileError: the compiler said no (`CompilerCrash`: it died); with its words.
    """
    name, source, own = _parts(program)
    if isinstance(program, Path | str) and compile_from is None:
        compile_from = phase_of(Path(program))
    for phase in filter(None, (compile_from, compile_to)):
        phase_before(phase)  # raises for a name that is none
    check_start(name, source, compile_from)
    scratch = Scratch(folder)
    (scratch.path / f"{name}.mlir").write_bytes(source)
    made = _result(name, compile_to, bytecode)
    args = [f"{name}.mlir", "-o", made, *target.flags, *own]
    args += [f"--compile-from={compile_from}"] if compile_from else []
    args += [f"--compile-to={compile_to}"] if compile_to else []
    args += ["--emit-mlir-bytecode"] if compile_to and bytecode else []
    try:
        ran = run_tool("iree-compile", *args, *flags, cwd=scratch.path, timeout=timeout)
    except CompileError as error:
        if compile_from is not None:
            error.expected, todo = doubt(source, compile_from)
            error.todo = "; ".join(filter(None, (todo, error.todo)))
        raise
    return Built(scratch.hold(scratch.path / made), ran.command, ran.seconds, ran.stderr, scratch)


def _parts(program: Program | Path | str) -> tuple[str, bytes, tuple[str, ...]]:
    phase_file = isinstance(program, str) and phase_of(Path(program))
    if not isinstance(program, Path) and not phase_file:
        program = program_of(program)
    if isinstance(program, Program):
        return program.name, program.source, program.flags
    program = Path(program)
    if not program.is_file():
        program_of(program)  # says what there is instead
    source = program.read_bytes()
    if is_cut(source):
        raise ProgramError(
            f"long constants were cut out of {program.name} when it was printed",
            expected="IR with all its constants",
            todo="capture again with elide=False, or use build(program, compile_to=…)",
        )
    # The compiler names executables after the file: `mlp`, not `mlp.6.flow`, as in the whole run.
    return program.name.partition(".")[0], source, ()


def _result(name: str, compile_to: str | None, bytecode: bool) -> str:
    if compile_to is None:
        return f"{name}.vmfb"
    suffix = "mlirbc" if bytecode else "mlir"
    return f"{name}.{PHASES.index(compile_to) + 1}.{compile_to}.{suffix}"
