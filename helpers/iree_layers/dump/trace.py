"""A trace: one compile of one program with everything it said and left behind.

    t = trace("mlp.mlir")              # runs iree-compile once, in a scratch folder
    t.dump.layers                      # ('input', 'abi', …, 'vm')
    t.text(3)                          # the IR after the fourth pass
    t.phase("flow")                    # the whole program at the end of a phase, as text
    t.at("stream"), t.passes("stream")

The files live in a scratch folder for as long as the trace does; `store.save` keeps them.
"""

from __future__ import annotations

import difflib
import re
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..compile.capture import Capture, Scope, capture
from ..compile.program import Program, program
from ..compile.target import Target
from ..compile.toolchain import Versions, versions
from ..errors import CompileError, DumpError
from .dump import Dump
from .index import index
from .layers import MARKER, assign
from .snapshot import Snapshot
from .source import FileSource

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Kept", "Trace", "trace", "trace_of"]

# --mlir-print-ir-after=canonicalize,cse     --mlir-print-ir-before-all       (3.13)
_CHOICE = re.compile(r"--?mlir-print-ir-(?:before|after)(?:-all|=.*)")


class Kept(Protocol):
    """Files that a compile left behind; whoever holds this keeps them from being deleted."""

    @property
    def phases(self) -> Mapping[str, Path]:
        """Phase name to the IR at its end, in the order of the phases."""

    @property
    def vmfb(self) -> Path | None:
        """The compiled module, None if the compile did not get that far."""

    @property
    def files(self) -> tuple[Path, ...]:
        """Files per executable: sources, LLVM IR, assembly, objects."""


@dataclass(frozen=True, eq=False)
class Trace:
    """A program, the command that compiled it, and what came out."""

    program: Program
    target: Target
    command: str
    "the line that was run, pasteable in a folder with the program's file"
    versions: Versions
    dump: Dump
    "the IR of all passes, with layers"
    kept: Kept = field(repr=False)
    "owner of the files; `phases`, `vmfb` and `files` ask it"
    exit: int
    "exit code; negative is minus the signal number"
    seconds: float
    "wall time of the compile, printing included"
    how: str
    "how the dump was collected: `shim`, `pipe` or `file`"
    notes: tuple[str, ...] = ()
    "what was asked for and did not come, in words"

    def __len__(self) -> int:
        return len(self.dump)

    def __iter__(self) -> Iterator[Snapshot]:
        return iter(self.dump)

    def __getitem__(self, index: int) -> Snapshot:
        return self.dump[index]

    def __repr__(self) -> str:
        failed = "" if self.exit == 0 else f", exit {self.exit}"
        return (
            f"Trace({self.program.name} for {self.target.name}: {len(self)} snapshots, "
            f"{len(self.layers)} layers, {len(self.phases)} phases{failed})"
        )

    @property
    def phases(self) -> Mapping[str, Path]:
        """Phase name to the file with the IR at its end, in the order of the phases."""
        return self.kept.phases

    @property
    def vmfb(self) -> Path | None:
        """The compiled module, None if the compile did not get that far."""
        return self.kept.vmfb

    @property
    def files(self) -> tuple[Path, ...]:
        """Files per executable: sources, LLVM IR, assembly, objects."""
        return self.kept.files

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """All snapshots, in the order they were printed."""
        return self.dump.snapshots

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers, in order of first occurrence."""
        return self.dump.layers

    @property
    def input(self) -> str:
        """The program as the compiler was given it: what stands before snapshot 0."""
        return self.program.text

    def snapshot(self, index: int) -> Snapshot:
        """One snapshot, by its index.

        Raises:
            DumpError: there is no such index; the message has the range.
        """
        if not -len(self) <= index < len(self):
            raise DumpError(
                f"there is no snapshot {index}",
                expected=f"0 to {len(self) - 1}" if len(self) else "this trace has no snapshots",
            )
        return self.dump[index]

    def text(self, which: int | Snapshot) -> str:
        """The IR of one snapshot, without compiler messages that landed in it."""
        return self.dump.text(self.snapshot(which) if isinstance(which, int) else which)

    def phase(self, name: str) -> str:
        """The whole program at the end of a phase.

        Raises:
            DumpError: no file of that phase; the message has the nearest name.
        """
        if name not in self.phases:
            raise _no_such("phase", name, list(self.phases))
        return self.phases[name].read_text(encoding="utf-8", errors="replace")

    def at(self, layer: str) -> tuple[Snapshot, ...]:
        """The snapshots of one layer.

        Raises:
            DumpError: no snapshot has that layer; the message has the nearest name.
        """
        found = tuple(s for s in self.dump if s.layer == layer)
        if not found:
            raise _no_such("layer", layer, list(self.layers))
        return found

    def passes(self, layer: str) -> tuple[str, ...]:
        """Arguments of the passes that printed in a layer, in order, repeats included."""
        found = self.at(layer)
        after = [s.name for s in found if s.header.when == "After"]
        return tuple(after or [s.name for s in found])


def trace(
    source: object,
    target: Target = Target.TEXT,
    *inputs: Any,
    scope: Scope = "op",
    only: str | None = None,
    layer: str | None = None,
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
) -> Trace:
    """Compile a program once and keep the IR after every pass, with its layer.

    Args:
        source: a `Program`, or what `program()` takes.
        target: for whom to compile; the default gives the same IR on every machine.
        inputs: example inputs, for a PyTorch module.
        scope: `"op"` prints the op a pass ran on, `"module"` always the whole module (up to ten
            times as much).
        only: keep snapshots of symbols or dispatches like this glob, e.g. `"@main*"`.
        layer: print the passes of this layer alone, and the few that a resumed compile runs again;
            there is no `.vmfb` then.
        changed: print only passes that changed something, and the end of each phase.
        before: print the IR before each pass too.
        locations: print source locations.
        files: keep the files of each executable.
        elide: cut constants of more than 16 elements when printing.
        flags: more flags of iree-compile. `--mlir-print-ir-after=PASS` and its likes print those
            passes, and the end of each phase.
        progress: show a bar on stderr; None shows it only to a person, after two seconds.
        limit_bytes: stop when the dump gets longer than this.
        timeout: seconds until the compiler is killed.
        folder: new or empty folder to compile in; default: one that lives as long as the trace.

    Raises:
        CompileError: the compiler said no, or crashed; `partial` is a `Trace` of what it printed.
        ProgramError: the program cannot be read.
        DumpError: `only` fits nothing.
    """
    what = program(source, *inputs)
    try:
        captured = capture(
            what, target, scope=scope, only_layer=layer, changed=changed, before=before,
            locations=locations, files=files, elide=elide, flags=_with_borders(flags, changed),
            progress=progress, limit_bytes=limit_bytes, timeout=timeout, folder=folder,
        )  # fmt: skip
    except CompileError as error:
        if isinstance(error.partial, Capture):
            error.partial = trace_of(error.partial, layer=layer)
        raise
    found = trace_of(captured, layer=layer)
    return replace(found, dump=found.dump.only(only)) if only else found


def trace_of(captured: Capture, *, layer: str | None = None) -> Trace:
    """Index what a compile printed, and find the layers (or take the only one)."""
    origin = f"{captured.program.name} for {captured.target.name}"
    return Trace(
        program=captured.program,
        target=captured.target,
        command=str(captured.command),
        versions=versions(),
        dump=assign(index(_source(captured.dump), origin=origin), only=layer),
        kept=captured,
        exit=captured.exit,
        seconds=captured.seconds,
        how=captured.how,
        notes=captured.notes,
    )


def _source(path: Path) -> FileSource:
    """The dump's bytes; the file is closed when nobody holds them any more."""
    handle = path.open("rb")
    source = FileSource(path, handle=handle)
    weakref.finalize(source, handle.close)
    return source


def _with_borders(flags: Sequence[str], changed: bool) -> tuple[str, ...]:
    """Flags that print the markers of the phases even where not every pass is printed.

    `--mlir-print-ir-after-change` leaves them out, because they change nothing.
    """
    chosen = [flag for flag in flags if _CHOICE.fullmatch(flag)]
    if not chosen and not changed:
        return tuple(flags)
    everything = () if chosen else ("--mlir-print-ir-after-all",)
    return (*flags, *everything, f"--mlir-print-ir-before={MARKER}")


def _no_such(kind: str, name: str, known: list[str]) -> DumpError:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    return DumpError(
        f"this trace has no {kind} {name!r}",
        expected=f"one of {', '.join(known)}" if known else f"a trace with a {kind}",
        todo=f"did you mean {near[0]!r}?" if near else "",
    )
