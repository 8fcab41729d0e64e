"""PyTorch through torch-mlir: the same module as torch, linalg, TOSA or StableHLO.

In: a module with example inputs. Out: a `Program` in the dialect that the road names. Rests on
`torch_mlir.fx.export_and_import` (torch-mlir 20261001), without its decompositions: they turn a
linear layer into multiplications by one, which nobody wants to read.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ..errors import ProgramError, ToolMissing
from .frontends import dims, evaluating, examples, quiet, snake
from .program import from_source, safe_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .program import Program

__all__ = ["OUTPUTS", "from_torch_mlir"]

OUTPUTS = {
    "torch": "torch",
    "raw": "raw",
    "linalg": "linalg-on-tensors",
    "tosa": "tosa",
    "stablehlo": "stablehlo",
}
"what the road says to what torch-mlir calls it"


def from_torch_mlir(
    module: Any,
    *inputs: Any,
    output: str = "torch",
    entry: str | None = None,
    dynamic: Mapping[str | int, Any] | None = None,
) -> Program:
    """A program of a torch module, in the dialect of your choice.

    TOSA goes to the compiler as bytecode: torch-mlir and IREE 3.13 spell its text differently
    (`custom op 'tosa.const_shape' expected 'values'`). All others are text.

    Args:
        module: a `torch.nn.Module`; exported as it behaves in evaluation.
        inputs: example tensors or arrays; default: the module's attribute `example_inputs`.
        output: a key of `OUTPUTS`.
        entry: name of the exported function, default `main`.
        dynamic: see `program`. StableHLO takes none; TOSA none through a reshape.

    Raises:
        ProgramError: no such output, or torch or torch-mlir refuses the module; with its words.
        ToolMissing: torch-mlir is not installed.
    """
    if output not in OUTPUTS:
        raise ProgramError(
            f"torch-mlir has no output {output!r}", expected=f"one of {', '.join(OUTPUTS)}"
        )
    try:
        with quiet():
            from torch_mlir import fx
    except ImportError as error:
        raise ToolMissing(
            f"this road needs torch-mlir ({error})", todo="pip install 'iree-layers[torch-mlir]'"
        ) from error
    given = examples(module, inputs)
    name = snake(type(module).__name__)
    try:
        with evaluating(module), quiet():
            made = fx.export_and_import(
                module,
                *given,
                output_type=OUTPUTS[output],
                func_name=entry or "main",
                decomposition_table=[],
                dynamic_shapes=dims(module, len(given), dynamic),
            )
    except Exception as error:  # torch and torch-mlir raise many kinds, with the reason in words
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        what = f"{output} of {type(module).__name__}"
        raise ProgramError(
            f"torch-mlir cannot make {what}: {' '.join(said[:3])[:600]}",
            todo="try another output: raw takes most, then linalg, then tosa, then stablehlo",
        ) from error
    lines = made.operation.get_asm(enable_debug_info=True)
    source = _bytecode(made) if output == "tosa" else lines.encode()
    call = f'output_type="{OUTPUTS[output]}", decomposition_table=[]'
    return from_source(
        source,
        name=safe_name(name),
        road=f"torch-mlir:{output}",
        commands=(f"python: torch_mlir.fx.export_and_import({name}, *inputs, {call})",),
    )


def _bytecode(module: Any) -> bytes:
    file = io.BytesIO()
    module.operation.write_bytecode(file)
    return file.getvalue()
