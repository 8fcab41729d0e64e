"""Programs: what the compiler is given, as bytes with a name, whatever front end made them.

`program(x)` takes a path, MLIR text, a PyTorch module with example inputs, `model.py:NAME`, or an
ONNX file, and gives a `Program`. The compiler only ever sees `<name>.mlir` in a scratch folder, so
that the IR it prints holds no path of this machine.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ProgramError
from .elide import printed
from .kind import Kind, foreign_content, is_bytecode

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ACCEPTED", "Program", "from_source", "near", "program", "refused", "safe_name"]

ACCEPTED = (
    "a file (.mlir, .onnx, .tflite, model.py:NAME), a SavedModel, MLIR text, or a torch module or "
    "JAX function with inputs"
)
_NO_ASYNC = "--iree-torch-emit-async-entry-points=false"


@dataclass(frozen=True)
class Program:
    """One program as the compiler gets it."""

    name: str
    "bare stem of its files, of letters, digits and `_`"
    source: bytes = field(repr=False)
    "MLIR text or MLIR bytecode"
    road: str
    "how it got here: `mlir`, `bytecode`, or a name of `roads.ROADS`"
    flags: tuple[str, ...] = ()
    "flags of iree-compile that this program needs on every target"
    parameters: tuple[tuple[str, Path], ...] = ()
    "(scope, .irpa file) of weights kept outside the IR"
    commands: tuple[str, ...] = ()
    "shell lines that made the source, if a tool did"

    def __repr__(self) -> str:
        flags = f", {' '.join(self.flags)}" if self.flags else ""
        return f"Program({self.name}: {self.road}, {len(self.source):,} bytes{flags})"

    @property
    def file_name(self) -> str:
        """Name of the file that the compiler is given."""
        return f"{self.name}.mlir"

    @property
    def elided(self) -> bool:
        """True if constants were cut out of the source: its IR can be read, never run."""
        return b"<__elided__>" in self.source

    @cached_property
    def text(self) -> str:
        """The IR for the eye: long constants are shortened and say how much is hidden.

        Bytecode is printed by `iree-opt` (a subprocess). Do not compile this text: use `source`.
        """
        return printed(self.source, self.file_name)


def program(
    x: object,
    *inputs: Any,
    name: str | None = None,
    entry: str | None = None,
    dynamic: Mapping[str | int, Any] | None = None,
    parameters: Mapping[str, str | Path] | None = None,
    road: str | None = None,
) -> Program:
    """Turn what you have into a `Program`.

    Args:
        x: one of
            a path of MLIR text or bytecode (known by content, whatever the suffix);
            MLIR text or bytecode itself;
            a `torch.nn.Module` with example `inputs`, or a `torch.export.ExportedProgram`
            (iree-turbine; the module is exported as it behaves after `.eval()`);
            the result of `iree.turbine.aot.export`;
            a function of JAX with example `inputs`, or what `jax.jit`, `.lower` or `jax.export`
            made of it (needs `pip install 'iree-layers[jax]'`);
            `model.py:NAME`, see `python_file.from_python`;
            a path of an ONNX file (`iree-import-onnx`; needs `pip install 'iree-layers[onnx]'`);
            a path of a `.tflite` file (needs `[tflite]`), or of a SavedModel folder (`[tf]`);
            a `Program`, which is returned.
        inputs: example tensors or arrays, one for each argument of the module or function.
        name: stem of all file names; default: file stem, module symbol, class or function name.
        entry: name of the exported function, for torch modules and SavedModels (default `main`).
        dynamic: dims that may vary, for torch modules: `{"x": {0: "batch"}}`, by argument name or
            position; equal names are equal sizes.
        parameters: scope to `.irpa` file, for a program whose weights are outside of it.
        road: how to go, a name of `roads.ROADS` such as `"torch-mlir:tosa"`; default: the first
            that takes `x`.

    Raises:
        ProgramError: it is something else; the message says what, and what to do.
        ToolMissing: a front end is not installed; the message has the pip line.
    """
    from .roads import travelled  # here, because roads make programs

    found = travelled(x, inputs, road=road, entry=entry, dynamic=dynamic)
    if name is not None:
        found = _renamed(found, safe_name(name))
    if parameters:
        found = replace(found, parameters=found.parameters + _checked(parameters))
    return found


def from_source(
    source: bytes,
    *,
    name: str | None = None,
    road: str | None = None,
    where: str = "the program",
    commands: tuple[str, ...] = (),
) -> Program:
    """A program of MLIR text or bytecode.

    Args:
        source: the bytes, kept as they are.
        name: stem; default: the symbol of the outermost module, or `program`.
        road: default `mlir` or `bytecode`, by content.
        where: how error messages call it.
        commands: shell lines that made it.

    Raises:
        ProgramError: empty, a dump, another format, or no MLIR in it.
    """
    if kind := foreign_content(source):
        raise refused(where, kind)
    road = road or ("bytecode" if is_bytecode(source) else "mlir")
    # `module @mlp attributes {…} {` or `module @mlp {` as the first op
    symbol = re.search(rb'^\s*(?:builtin\.)?module\s+@"?([\w$.-]+)', source, re.MULTILINE)
    stem = name or (symbol.group(1).decode() if symbol else "program")
    return Program(safe_name(stem), source, road, flags=_flags(source), commands=commands)


def safe_name(name: str) -> str:
    """A stem of `[A-Za-z0-9_]` that begins with a letter or `_`, at most 60 long."""
    stem = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:60] or "program"
    return f"_{stem}" if stem[0].isdigit() else stem


def _flags(source: bytes) -> tuple[str, ...]:
    """Flags for the torch dialect: no `main$async` twin of every function.

    The twin stays where the program needs it: tensors that are changed in place
    (`!torch.tensor`, against `!torch.vtensor`) have no sync-only lowering in 3.13.
    """
    torch = b"!torch." in source or (is_bytecode(source) and b"torch" in source)
    return (_NO_ASYNC,) if torch and b"!torch.tensor" not in source else ()


def _renamed(x: Program, name: str) -> Program:
    """The same program under another name, also in the commands that write its file."""
    commands = tuple(line.replace(f" -o {x.file_name}", f" -o {name}.mlir") for line in x.commands)
    return replace(x, name=name, commands=commands)


def _checked(parameters: Mapping[str, str | Path]) -> tuple[tuple[str, Path], ...]:
    """Parameter files as absolute paths; each must exist."""
    files = tuple((scope, Path(file).expanduser().resolve()) for scope, file in parameters.items())
    for scope, file in files:
        if not file.is_file():
            raise ProgramError(f"no parameter file {file} for scope {scope!r}", todo=near(file))
    return files


def refused(where: str, kind: Kind) -> ProgramError:
    """The error for something that is known, and is no program."""
    return ProgramError(f"{where}: {kind.what}", expected=ACCEPTED, todo=kind.todo)


def near(path: Path) -> str:
    """A hint with the most similar name in the same folder, or ''."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except (OSError, ValueError):
        return f"there is no folder {path.parent} either" if path.parent.name else ""
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
    return f"did you mean {path.with_name(close[0])}?" if close else ""
