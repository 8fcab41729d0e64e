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
from .kind import Kind, foreign_content, foreign_file, foreign_folder, is_bytecode, looks_like_ir

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Program", "from_source", "program", "safe_name"]

_ACCEPTED = "a file (.mlir, .onnx, model.py:NAME), MLIR text, or a torch module with inputs"
_NO_ASYNC = "--iree-torch-emit-async-entry-points=false"


@dataclass(frozen=True)
class Program:
    """One program as the compiler gets it."""

    name: str
    "bare stem of its files, of letters, digits and `_`"
    source: bytes = field(repr=False)
    "MLIR text or MLIR bytecode"
    road: str
    "how it got here: `mlir`, `bytecode`, `torch` or `onnx`"
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
) -> Program:
    """Turn what you have into a `Program`.

    Args:
        x: one of
            a path of MLIR text or bytecode (known by content, whatever the suffix);
            MLIR text or bytecode itself;
            a `torch.nn.Module` with example `inputs`, or a `torch.export.ExportedProgram`
            (iree-turbine; the module is exported as it behaves after `.eval()`);
            the result of `iree.turbine.aot.export`;
            `model.py:NAME`, see `python_file.from_python`;
            a path of an ONNX file (`iree-import-onnx`; needs `pip install 'iree-layers[onnx]'`);
            a `Program`, which is returned.
        inputs: example tensors or arrays of a module, one for each argument of `forward`.
        name: stem of all file names; default: file stem, module symbol or class name.
        entry: name of the exported function, for torch modules only (default `main`).
        dynamic: dims that may vary, for torch modules: `{"x": {0: "batch"}}`, by argument name or
            position; equal names are equal sizes.
        parameters: scope to `.irpa` file, for a program whose weights are outside of it.

    Raises:
        ProgramError: it is something else; the message says what, and what to do.
        ToolMissing: a front end is not installed; the message has the pip line.
    """
    found = _found(x, inputs, entry, dynamic)
    if name is not None:
        found = _renamed(found, safe_name(name))
    if parameters:
        found = replace(found, parameters=found.parameters + _checked(parameters))
    return found


def _found(
    x: object, inputs: tuple[Any, ...], entry: str | None, dynamic: Mapping[str | int, Any] | None
) -> Program:
    """The program of `x`, by the first rule that knows it."""
    from . import frontends, python_file  # here, because they make programs

    if isinstance(x, str) and (spot := python_file.python_spot(x)):
        return python_file.from_python(*spot, *inputs, entry=entry, dynamic=dynamic)
    if frontends.is_torch(x):
        return frontends.from_torch(x, *inputs, entry=entry, dynamic=dynamic)
    if inputs or entry or dynamic:
        raise ProgramError(
            f"inputs, entry and dynamic belong to a torch module, and this is {_short(x)}",
            todo="leave them out: MLIR and ONNX already have their functions and shapes",
        )
    if isinstance(x, Program):
        return x
    if isinstance(x, Path):
        return _from_file(x)
    if isinstance(x, bytes):
        return from_source(x)
    if isinstance(x, str):
        return _from_str(x)
    raise ProgramError(f"cannot make a program of {_short(x)}", expected=_ACCEPTED)


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
        raise _refused(where, kind)
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


def _from_str(x: str) -> Program:
    """A path if such a file is there or the text is shaped like one, else IR."""
    # `model.mlir`, `~/nets/a b.onnx`, `dump`: one line, no braces or quotes, no type
    shaped = "\n" not in x and not re.search(r'[{}"%@]| : |->', x)
    if shaped and (re.search(r"[/\\]|\.\w{1,12}$", x.strip()) or _exists(x)):
        return _from_file(Path(x.strip()).expanduser())
    if "\n" in x or looks_like_ir(x):
        return from_source(x.encode(errors="surrogateescape"))
    raise ProgramError(
        f"{x[:80]!r} is neither an existing file nor MLIR text",
        expected=_ACCEPTED,
        todo=_near(Path(x)) or "check the spelling and the current folder",
    )


def _exists(x: str) -> bool:
    try:
        return bool(x) and Path(x).exists()
    except (OSError, ValueError):  # too long, or a NUL in it
        return False


def _from_file(path: Path) -> Program:
    """A program of a file, by suffix where it decides, else by content."""
    if not path.exists():
        raise ProgramError(
            f"there is no file {path}", todo=_near(path) or f"current folder: {Path.cwd()}"
        )
    if path.is_dir():
        raise _refused(str(path), foreign_folder(path))
    if path.suffix.lower() == ".onnx":
        from . import frontends

        return frontends.from_onnx(path)
    if path.suffix.lower() == ".py":
        from . import python_file

        raise python_file.no_name(path)
    if kind := foreign_file(path):
        raise _refused(str(path), kind)
    return from_source(path.read_bytes(), name=path.stem, where=str(path))


def _renamed(x: Program, name: str) -> Program:
    """The same program under another name, also in the commands that write its file."""
    commands = tuple(line.replace(f" -o {x.file_name}", f" -o {name}.mlir") for line in x.commands)
    return replace(x, name=name, commands=commands)


def _checked(parameters: Mapping[str, str | Path]) -> tuple[tuple[str, Path], ...]:
    """Parameter files as absolute paths; each must exist."""
    files = tuple((scope, Path(file).expanduser().resolve()) for scope, file in parameters.items())
    for scope, file in files:
        if not file.is_file():
            raise ProgramError(f"no parameter file {file} for scope {scope!r}", todo=_near(file))
    return files


def _refused(where: str, kind: Kind) -> ProgramError:
    return ProgramError(f"{where}: {kind.what}", expected=_ACCEPTED, todo=kind.todo)


def _near(path: Path) -> str:
    """A hint with the most similar name in the same folder, or ''."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except (OSError, ValueError):
        return f"there is no folder {path.parent} either" if path.parent.name else ""
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
    return f"did you mean {path.with_name(close[0])}?" if close else ""


def _short(x: object) -> str:
    kind = type(x)
    return f"a {kind.__module__}.{kind.__qualname__}".replace("builtins.", "")
