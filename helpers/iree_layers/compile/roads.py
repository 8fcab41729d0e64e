"""The roads into the compiler: which front end takes what you have, and the one that you ask for.

torch          a torch module by iree-turbine            → torch dialect
torch-mlir     the same module by torch-mlir             → torch
torch-mlir:raw, :linalg, :tosa, :stablehlo               → as it says
jax            a function                                → StableHLO text
jax:portable   the same as a portable artifact           → VHLO bytecode
onnx           a file, by iree-import-onnx               → torch dialect with onnx ops
onnx:17        the same, brought up to opset 17 (or another) before
tflite         a file, by tosa-converter-for-tflite      → TOSA bytecode
tf             a SavedModel folder, by iree-import-tf    → StableHLO bytecode
mlir, bytecode text or bytecode that is MLIR already
"""

from __future__ import annotations

import difflib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ProgramError
from .from_jax import from_jax, is_jax
from .from_tf import from_saved_model, is_saved_model
from .from_tflite import from_tflite
from .from_torch_mlir import OUTPUTS, from_torch_mlir
from .frontends import from_onnx, from_torch, is_torch
from .kind import foreign_file, foreign_folder, looks_like_ir
from .program import ACCEPTED, Program, from_source, near, refused
from .python_file import from_python, no_name, python_spot

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ROADS", "travelled"]

ROADS = (
    "torch",
    "torch-mlir",
    *(f"torch-mlir:{output}" for output in OUTPUTS),
    "jax",
    "jax:portable",
    "onnx",
    "tflite",
    "tf",
    "mlir",
    "bytecode",
)


def travelled(
    x: object,
    inputs: tuple[Any, ...],
    *,
    road: str | None = None,
    entry: str | None = None,
    dynamic: Mapping[str | int, Any] | None = None,
) -> Program:
    """The program of `x`, by the road that is asked for, or by the first that takes it.

    Raises:
        ProgramError: no road takes it, or not the one that was asked for.
    """
    if road is not None:
        _check(road)
    if isinstance(x, str) and (spot := python_spot(x)):
        return from_python(*spot, *inputs, entry=entry, dynamic=dynamic, road=road)
    if is_torch(x):
        return _of_torch(x, inputs, road, entry, dynamic)
    if _wants_jax(x, inputs, road):
        if entry or dynamic:
            raise ProgramError(
                "entry and dynamic belong to a torch module, and this is a function",
                todo="a dim that may vary: jax.export.symbolic_shape, and give what export made",
            )
        return from_jax(x, *inputs, portable=road == "jax:portable")
    saved = isinstance(x, str | Path) and _looks_like_folder(x)
    if inputs or dynamic or (entry and not saved):
        raise ProgramError(
            f"inputs, entry and dynamic belong to a torch module, and this is {_short(x)}",
            todo="leave them out: MLIR and ONNX already have their functions and shapes",
        )
    found = _ready(x, entry, road)
    if road is not None and found.road.partition(":")[0] != road.partition(":")[0]:
        raise ProgramError(f"the road {road!r} does not lead from {_short(x)}: {found.road} does")
    return found


def _check(road: str) -> None:
    # `onnx:17`
    if road not in ROADS and not re.fullmatch(r"onnx:[1-9]\d?", road):
        close = difflib.get_close_matches(road, ROADS, n=1, cutoff=0.4)
        raise ProgramError(
            f"there is no road {road!r}",
            expected=f"one of {', '.join(ROADS)}",
            todo=f"did you mean {close[0]!r}?" if close else "",
        )


def _of_torch(
    x: Any,
    inputs: tuple[Any, ...],
    road: str | None,
    entry: str | None,
    dynamic: Mapping[str | int, Any] | None,
) -> Program:
    name, _, output = (road or "torch").partition(":")
    if name == "torch":
        return from_torch(x, *inputs, entry=entry, dynamic=dynamic)
    if name == "torch-mlir":
        return from_torch_mlir(x, *inputs, output=output or "torch", entry=entry, dynamic=dynamic)
    raise ProgramError(
        f"the road {road!r} does not lead from a torch module",
        expected="torch, or torch-mlir with an output",
    )


def _wants_jax(x: object, inputs: tuple[Any, ...], road: str | None) -> bool:
    """JAX made it; or it is a plain function, and JAX is asked for or there already."""
    if is_jax(x):
        return True
    if not callable(x) or isinstance(x, str | bytes | Path):
        return False
    return (road or "").partition(":")[0] == "jax" or bool(inputs and "jax" in sys.modules)


def _looks_like_folder(x: str | Path) -> bool:
    try:
        return is_saved_model(Path(x))
    except (OSError, ValueError):
        return False


def _ready(x: object, entry: str | None, road: str | None) -> Program:
    """What is a program already, in memory or in a file."""
    if isinstance(x, Program):
        return x
    if isinstance(x, Path):
        return _from_file(x, entry, road)
    if isinstance(x, bytes):
        return from_source(x)
    if isinstance(x, str):
        return _from_str(x, entry, road)
    raise ProgramError(f"cannot make a program of {_short(x)}", expected=ACCEPTED)


def _from_str(x: str, entry: str | None, road: str | None) -> Program:
    """A path if such a file is there or the text is shaped like one, else IR."""
    # `model.mlir`, `~/nets/a b.onnx`, `dump`: one line, no braces or quotes, no type
    shaped = "\n" not in x and not re.search(r'[{}"%@]| : |->', x)
    if shaped and (re.search(r"[/\\]|\.\w{1,12}$", x.strip()) or _exists(x)):
        return _from_file(Path(x.strip()).expanduser(), entry, road)
    if "\n" in x or looks_like_ir(x):
        return from_source(x.encode(errors="surrogateescape"))
    raise ProgramError(
        f"{x[:80]!r} is neither an existing file nor MLIR text",
        expected=ACCEPTED,
        todo=near(Path(x)) or "check the spelling and the current folder",
    )


def _exists(x: str) -> bool:
    try:
        return bool(x) and Path(x).exists()
    except (OSError, ValueError):  # too long, or a NUL in it
        return False


def _from_file(path: Path, entry: str | None, road: str | None) -> Program:
    """A program of a file, by suffix where it decides, else by content."""
    if not path.exists():
        raise ProgramError(
            f"there is no file {path}", todo=near(path) or f"current folder: {Path.cwd()}"
        )
    if is_saved_model(path):
        return from_saved_model(path, entry=entry)
    if path.is_dir():
        raise refused(str(path), foreign_folder(path))
    if path.suffix.lower() == ".onnx":
        opset = (road or "").partition("onnx:")[2]
        return from_onnx(path, opset=int(opset) if opset else None)
    if path.suffix.lower() == ".tflite":
        return from_tflite(path)
    if path.suffix.lower() == ".py":
        raise no_name(path)
    if kind := foreign_file(path):
        raise refused(str(path), kind)
    return from_source(path.read_bytes(), name=path.stem, where=str(path))


def _short(x: object) -> str:
    kind = type(x)
    return f"a {kind.__module__}.{kind.__qualname__}".replace("builtins.", "")
