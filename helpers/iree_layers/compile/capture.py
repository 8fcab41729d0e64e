"""One compiler run that prints: the IR after every pass, the phase files, the executables, `.vmfb`.

`capture(program)` runs the real `iree-compile` (3.13.0) in a folder of its own. Then there is:

    <name>.mlir    what the compiler was given
    dump.txt       its stderr: the IR after every pass, warnings, and the words of a crash
    <name>.vmfb    the module
    phases/        `<stem>.<1..12>.<phase>.mlir`, the module at the end of each phase
    files/         per executable: source, configured source, bitcode, assembly, objects, benchmarks

The command is kept, and pasted in that folder it makes the same bytes again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..errors import ProgramError
from .build import Built, build
from .channel import How, best_way
from .diagnostics import Said, read_said
from .failing import failed
from .phases import PHASES, phase_before, phase_files
from .printing import ELIDE, Scope, check_flags, printing_flags
from .progress import TooLong, Watch, wants_progress
from .resume import check_start
from .scratch import Scratch
from .sink import Drained, drain
from .target import Target
from .toolchain import Command, exit_text, late_text, tool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .program import Program

__all__ = ["DUMP", "ELIDE", "Built", "Capture", "Scope", "build", "capture"]

DUMP = "dump.txt"


@dataclass(frozen=True)
class Capture:
    """What one printing compile left behind, complete or until it failed."""

    program: Program
    target: Target
    command: Command
    "the run that printed"
    folder: Path
    "where it ran; deleted when neither this nor a path from here is held, unless you named it"
    dump: Path
    "the compiler's stderr"
    phases: Mapping[str, Path]
    "phase → module at its end"
    vmfb: Path | None
    files: tuple[Path, ...]
    "per executable files, sorted"
    exit: int
    seconds: float
    "wall time of all runs"
    how: How
    commands: tuple[Command, ...]
    "all runs, in order; more than one with `only_layer`"
    notes: tuple[str, ...]
    "what was asked for and did not come, in words"
    owner: Scratch = field(repr=False, compare=False)

    def __repr__(self) -> str:
        parts = [f"{self.dump.stat().st_size / 1e6:.1f} MB of IR", f"{len(self.phases)} phases"]
        parts += [self.vmfb.name] if self.vmfb else []
        parts += [f"{len(self.files)} files of executables", *self.notes]
        return f"Capture({self.program.name} for {self.target.name}: {', '.join(parts)})"


def capture(
    program: Program,
    target: Target = Target.TEXT,
    *,
    scope: Scope = "op",
    only_layer: str | None = None,
    changed: bool = False,
    before: bool = False,
    locations: bool = False,
    files: bool = True,
    elide: bool = True,
    flags: Sequence[str] = (),
    progress: bool | None = None,
    limit_bytes: int | None = None,
    timeout: float | None = None,
    folder: Path | None = None,
) -> Capture:
    """Compile once and keep everything that the compiler shows on the way.

    Args:
        program: what to compile.
        target: for whom.
        scope: print the op that a pass ran on, or the whole module each time (2–12 times as much).
        only_layer: print this phase only. A silent run first compiles to the phase before; there
            is no `.vmfb` then, and the first passes of the second run assign the devices again.
        changed: leave out passes that changed nothing.
        before: print before each pass too.
        locations: print `loc(…)` (a third more bytes).
        files: also keep the files of each executable.
        elide: cut constants of more than 16 elements when printing. The `.vmfb` is whole either
            way; a phase file with cut constants can be read but not compiled.
        flags: more flags of iree-compile. `--mlir-print-ir-after=PASS` and its likes replace the
            printing of all passes.
        progress: show a bar on stderr; None shows it only to a person, after two seconds.
        limit_bytes: stop when the dump gets longer than this. At module scope a forecast is made
            first (two silent compiles), and the run refused if even its lower bound is above.
        timeout: seconds until the compiler is killed.
        folder: new or empty folder to work in and to keep.

    Raises:
        ProgramError: a flag, phase or folder that cannot be used.
        CompileError: the compiler said no, or a limit was passed (`CompilerCrash`: it died). The
            error's `partial` is the `Capture` until then (None if it was the silent run).
        KeyboardInterrupt: it too has `partial`.
    """
    check_flags(flags)
    check_start(program.name, program.source)
    total = None
    if limit_bytes is not None and scope == "module" and only_layer is None:
        total = _affordable(program, target, flags, limit_bytes, timeout)
    scratch = Scratch(folder)
    printing = printing_flags(scope, changed, before, locations, elide, flags)
    start, layer, done = _resume_point(program, target, only_layer, flags, scratch, timeout)
    extra = ["--iree-hal-dump-executable-files-to=files"] if files else []
    argv = ("iree-compile", *start, *target.flags, *program.flags, *layer, *printing)
    argv += ("--dump-compilation-phases-to=phases", *extra, *flags)
    command = Command(argv, scratch.path, stderr=DUMP)
    began = Capture(
        program, target, command, scratch.path, scratch.hold(scratch.path / DUMP), {}, None, (), 0,
        sum(built.seconds for built in done), best_way(),
        (*(built.command for built in done), command), (), scratch,
    )  # fmt: skip
    watching = Watch(began.dump, show=wants_progress(progress), limit=limit_bytes, total=total)
    return _run(began, watching, timeout)


def _affordable(
    program: Program, target: Target, flags: Sequence[str], limit: int, timeout: float | None
) -> int:
    """Bytes to expect at module scope, if that can be within the limit."""
    from .forecast import forecast  # here, because a forecast captures too

    expected = forecast(program, target, scope="module", flags=flags, timeout=timeout)
    if expected.low > limit:
        raise ProgramError(
            f"{expected}",
            expected=f"at most {limit:,} bytes (limit_bytes)",
            todo="scope='op', only_layer='flow', or a larger limit_bytes",
        )
    return expected.bytes


def _resume_point(
    program: Program,
    target: Target,
    only_layer: str | None,
    flags: Sequence[str],
    scratch: Scratch,
    timeout: float | None,
) -> tuple[list[str], list[str], list[Built]]:
    """Write the input; give the arguments that name it, those that choose a layer, earlier runs."""
    source = scratch.path / program.file_name
    if only_layer is None:
        source.write_bytes(program.source)
        return [program.file_name, "-o", f"{program.name}.vmfb"], [], []
    earlier = phase_before(only_layer)
    made = f"{program.name}.{PHASES.index(only_layer) + 1}.{only_layer}.mlir"
    if earlier is None:
        source.write_bytes(program.source)
        return [program.file_name, "-o", made], [f"--compile-to={only_layer}"], []
    silent = [flag for flag in flags if not flag.lstrip("-").startswith("mlir-print")]
    built = build(
        program, target, compile_to=earlier, flags=silent, bytecode=True, timeout=timeout,
        folder=scratch.path,
    )  # fmt: skip
    layer = [f"--compile-from={earlier}", f"--compile-to={only_layer}"]
    return [built.vmfb.name, "-o", made], layer, [built]


def _run(began: Capture, watching: Watch, timeout: float | None) -> Capture:
    stdout = began.folder / "stdout.txt"
    binary, args = tool("iree-compile"), began.command.argv[1:]
    try:
        with watching:
            drained = drain(
                [binary, *args], began.dump, cwd=began.folder, stdout=stdout, timeout=timeout,
                tick=watching.tick,
            )  # fmt: skip
    except KeyboardInterrupt as stop:
        partial = _gathered(began, exit=-2)
        stop.partial = partial  # type: ignore[attr-defined]
        stop.add_note(f"the IR until then is in error.partial: {partial!r}")
        raise
    except TooLong as stop:
        partial = _gathered(began, exit=-9)
        raise failed(partial, str(stop), read_said(began.dump)) from None
    except OSError as problem:
        partial = _gathered(began, exit=-9)
        found = f"the dump could not be written: {problem}"
        raise failed(partial, found, read_said(began.dump)) from problem
    if stdout.stat().st_size == 0:
        stdout.unlink()
    return _judged(_gathered(began, drained), drained, timeout)


def _judged(whole: Capture, drained: Drained, timeout: float | None) -> Capture:
    said = read_said(whole.dump)
    if drained.late and timeout is not None:
        raise failed(whole, f"iree-compile {late_text(timeout)}", said)
    if drained.exit == 0:
        return replace(whole, notes=tuple(_notes(whole, said)))
    # The stack dump has addresses: it is in error.stderr, and the message is the same every time.
    place = f" in {said.place}" if said.place else ""
    shown = "\n".join(f"    {line[:200]}" for line in said.errors.splitlines()[:12])
    found = f"iree-compile {exit_text(drained.exit)}{place}" + (f":\n{shown}" if shown else "")
    raise failed(whole, found, said)


def _gathered(began: Capture, drained: Drained | None = None, *, exit: int = 0) -> Capture:
    """The capture with what is on disk now."""
    vmfb = began.folder / f"{began.program.name}.vmfb"
    hold = began.owner.hold
    # A resumed compile also writes files of phases that it did not run.
    alone = [arg.partition("=")[2] for arg in began.command.argv if arg.startswith("--compile-to=")]
    found = phase_files(began.folder / "phases")
    phases = {name: hold(found[name]) for name in found if name in alone or not alone}
    return replace(
        began,
        phases=MappingProxyType(phases),
        vmfb=hold(vmfb) if vmfb.is_file() and vmfb.stat().st_size else None,
        files=tuple(map(hold, sorted((began.folder / "files").glob("*")))),
        exit=drained.exit if drained else exit,
        seconds=began.seconds + (drained.seconds if drained else 0.0),
        how=drained.how if drained else began.how,
    )


def _notes(whole: Capture, said: Said) -> list[str]:
    """What was asked for and did not come."""
    notes = []
    asked = [flag for flag in whole.command.argv if "mlir-print-ir" in flag]
    if not said.any_snapshot:
        notes.append(f"no snapshot was printed, although {' '.join(asked)} was accepted")
    if "Error while creating directory" in said.diagnostics:
        notes.append("the compiler could not create a folder for some of its files")
    whole_run = len(whole.commands) == 1 and whole.vmfb is not None
    if whole_run and len(whole.phases) < len(PHASES):
        missing = [phase for phase in PHASES if phase not in whole.phases]
        notes.append(f"no phase file for {', '.join(missing)}")
    if whole_run and not whole.files and any("executable-files" in f for f in whole.command.argv):
        notes.append("no executable was made, so there are no files of executables")
    return notes
