"""Front ends: PyTorch (iree-turbine) and ONNX (iree-import-onnx).

In: a module with example inputs, or the path of a model. Out: a `Program`. Rests on
iree-turbine 3.9.0 (`aot.export`) and the importer of iree-base-compiler 3.13.0. The importers run
with their chatter off; what they refuse becomes a `ProgramError` with their own last words.
"""

from __future__ import annotations

import contextlib
import inspect
import logging
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ProgramError, ToolMissing
from .program import Program, from_source, safe_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "dims",
    "evaluating",
    "examples",
    "from_onnx",
    "from_torch",
    "is_torch",
    "quiet",
    "snake",
]


def is_torch(x: object) -> bool:
    """True for what `from_torch` takes. Never imports torch: who holds a module has imported it."""
    if hasattr(x, "mlir_module") and hasattr(x, "compile"):
        return True
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "nn"):
        return False
    kinds = [torch.nn.Module]
    if hasattr(torch, "export") and hasattr(torch.export, "ExportedProgram"):
        kinds.append(torch.export.ExportedProgram)
    return isinstance(x, tuple(kinds))


def from_torch(
    x: Any,
    *inputs: Any,
    entry: str | None = None,
    dynamic: Mapping[str | int, Any] | None = None,
) -> Program:
    """A program of a torch module and example inputs, of an exported program, or of turbine's.

    The module is exported as it behaves in evaluation, and left in the mode it was in. Weights
    are constants of the IR; for weights beside it, call `aot.externalize_module_parameters` and
    `aot.export` yourself, and give the result.

    Args:
        x: `torch.nn.Module`, `torch.export.ExportedProgram`, or the result of `aot.export`.
        inputs: example tensors or numpy arrays; default: the module's attribute `example_inputs`.
        entry: name of the exported function, default `main`.
        dynamic: see `program`.

    Raises:
        ProgramError: no inputs, or torch or turbine cannot export it.
        ToolMissing: iree-turbine is not installed.
    """
    name = snake(type(x).__name__)
    if hasattr(x, "mlir_module") and not _is_module(x):
        if inputs or entry or dynamic:
            raise ProgramError("inputs, entry and dynamic were fixed when this was exported")
        return from_source(x.mlir_module.get_asm(enable_debug_info=True).encode(), road="torch")
    options: dict[str, Any] = {"function_name": entry or "main"}
    if not _is_module(x):
        if inputs or dynamic:
            raise ProgramError("the inputs and dims of an ExportedProgram are already fixed")
        name = "exported"
    else:
        options["args"] = examples(x, inputs)
        options["dynamic_shapes"] = dims(x, len(options["args"]), dynamic)
    with evaluating(x), quiet():
        text = _export(x, safe_name(name), options)
    return from_source(text.encode(), name=name, road="torch")


def from_onnx(path: Path, *, opset: int | None = None) -> Program:
    """A program of an ONNX file, through the importer of iree-base-compiler, in a subprocess.

    Weights in a `.data` file beside the model are found. The function is named after the graph.

    Args:
        path: the file.
        opset: brought up to this opset first, if it has an older one.

    Raises:
        ToolMissing: the package `onnx` is not installed.
        ProgramError: the importer refuses the file; its last line is in the message.
    """
    upgrade = [f"--opset-version={opset}"] if opset else []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "model.mlir"
        # the module and not the script: it runs in this very environment, on every platform
        argv = [
            sys.executable,
            "-P",
            "-m",
            "iree.compiler.tools.import_onnx",
            str(path),
            "-o",
            str(out),
            *upgrade,
        ]
        ran = subprocess.run(argv, capture_output=True, text=True, errors="replace")
        words = ["iree-import-onnx", str(path), "-o", f"{safe_name(path.stem)}.mlir", *upgrade]
        shown = shlex.join(words)
        road = f"onnx:{opset}" if opset else "onnx"
        if ran.returncode == 0:
            return from_source(
                out.read_bytes(), name=path.stem, road=road, where=str(path), commands=(shown,)
            )
    if "requires that the `onnx` Python package" in ran.stderr:
        raise ToolMissing(
            f"reading {path.name} needs the package onnx",
            todo="pip install 'iree-layers[onnx]'",
            command=shown,
        )
    last = next((line for line in reversed(ran.stderr.splitlines()) if line.strip()), "no message")
    raise ProgramError(
        f"{path}: the ONNX importer refuses it: {last.strip()[:300]}",
        todo=f"python -c 'import onnx, sys; onnx.checker.check_model(sys.argv[1])' "
        f"{shlex.quote(str(path))} says more",
        command=shown,
    )


def _export(x: Any, name: str, options: dict[str, Any]) -> str:
    """MLIR text of one export; every way it can fail becomes a ProgramError."""
    try:
        import iree.turbine.aot as aot
    except ImportError as error:
        raise ToolMissing(
            f"exporting a torch module needs iree-turbine ({error})",
            todo="pip install torch==2.13.0, then pip install 'iree-layers[torch]'",
        ) from error
    try:
        made = aot.export(x, module_name=name, **options).mlir_module
        return str(made.get_asm(enable_debug_info=True))  # with the lines of the Python source
    except Exception as error:  # torch raises dozens of kinds here, all with the reason in words
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise ProgramError(
            f"torch cannot export {type(x).__name__}: {type(error).__name__}: "
            + " ".join(said[:3])[:600],
            todo=_advice(str(error)),
        ) from error


def _advice(message: str) -> str:
    if "specialized it to be a constant" in message:
        return "give example inputs whose dynamic dims are 2 or more: 1 is taken as fixed"
    if "Higher-order operation" in message:
        return "turbine 3.9 knows no torch.cond: write the choice with torch.where"
    return "run the module once with these inputs; then try torch.export.export on it"


def _is_module(x: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.nn.Module)


def examples(module: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Example inputs as tensors; the module's own `example_inputs` if none are given."""
    import numpy as np
    import torch

    given = inputs or getattr(module, "example_inputs", ())
    given = given() if callable(given) and not isinstance(given, torch.Tensor) else given
    if isinstance(given, torch.Tensor | np.ndarray):
        given = (given,)
    takes = [name for name, p in _arguments(module).items() if p.default is p.empty]
    if not given and takes:
        raise ProgramError(
            f"{type(module).__name__} needs example inputs for {', '.join(takes)}: "
            "their shapes and dtypes become the program's",
            todo="program(module, torch.zeros(4, 64)), or an attribute example_inputs = (tensor,)",
        )
    return tuple(torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in given)


def _arguments(module: Any) -> dict[str, inspect.Parameter]:
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = inspect.signature(module.forward).parameters
    return {name: parameter for name, parameter in found.items() if parameter.kind in plain}


def dims(module: Any, count: int, dynamic: Mapping[str | int, Any] | None) -> Any:
    """`{"x": {0: "batch"}}` as torch.export takes it; None if nothing is dynamic."""
    if not dynamic:
        return None
    import torch

    names = list(_arguments(module))[:count]
    known: dict[str, Any] = {}

    def dim(label: Any) -> Any:
        # the same object for the same name: this is how torch knows that they are equal
        return known.setdefault(label, torch.export.Dim(label)) if isinstance(label, str) else label

    shapes: dict[str, Any] = dict.fromkeys(names)
    for key, axes in dynamic.items():
        name = names[key] if isinstance(key, int) and 0 <= key < len(names) else key
        if name not in shapes or not hasattr(axes, "items"):
            raise ProgramError(
                f"dynamic: cannot read {key!r}: {axes!r}",
                expected=f"an argument of forward ({', '.join(names)}) or its position, with "
                "{axis: name}, as in {'x': {0: 'batch'}}",
            )
        shapes[str(name)] = {axis: dim(label) for axis, label in axes.items()}
    return shapes


@contextlib.contextmanager
def evaluating(x: Any) -> Iterator[None]:
    """`x.eval()` for the time of an export; dropout and batch norm of training do not compile."""
    training = [m for m in x.modules() if m.training] if _is_module(x) else []
    for module in training:
        module.training = False
    try:
        yield
    finally:
        for module in training:
            module.training = True


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No warnings and no log records: torch 2.13 prints its whole stack for an export it refuses.

    Known noise: FutureWarning `isinstance(treespec, LeafSpec) is deprecated` at every export.
    """
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def snake(name: str) -> str:
    """The name of a class as names of functions are written."""
    # `DigitsMLP` → `digits_mlp`, `TinyCNN2` → `tiny_cnn2`
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
