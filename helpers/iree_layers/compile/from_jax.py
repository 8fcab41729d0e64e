"""JAX: a function with example inputs, as StableHLO text or as a portable artifact.

In: a function (jitted or not), or what `lower` or `jax.export.export` gave. Out: a `Program`.
Rests on `jax.jit(f).lower(…).as_text(debug_info=True)` and `jax.export` (JAX 0.10.2). A portable
artifact is bytecode of VHLO, the versioned form of StableHLO.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ..errors import ProgramError, ToolMissing
from .program import from_source, safe_name

if TYPE_CHECKING:
    from .program import Program

__all__ = ["from_jax", "is_jax"]


def is_jax(x: object) -> bool:
    """True for what JAX made: a jitted function, a lowered or an exported one. Never imports it."""
    if "jax" not in sys.modules:
        return False
    return _is_exported(x) or _is_lowered(x) or (callable(x) and hasattr(x, "lower"))


def from_jax(x: Any, *inputs: Any, portable: bool = False, name: str | None = None) -> Program:
    """A program of a JAX function and example inputs, or of one that was lowered or exported.

    Args:
        x: a function of arrays; the result of `jax.jit`, of `.lower(…)`, or of `jax.export`.
        inputs: example arrays, or `jax.ShapeDtypeStruct`; none if it is lowered already.
        portable: a portable artifact (bytecode) and not text.
        name: default: the function's name.

    Raises:
        ProgramError: JAX cannot trace it with these inputs; with its words.
        ToolMissing: JAX is not installed.
    """
    try:
        import jax
        import jax.export
    except ImportError as error:
        raise ToolMissing(
            f"this road needs JAX ({error})", todo="pip install 'iree-layers[jax]'"
        ) from error
    if _is_exported(x):
        return _named(bytes(x.mlir_module_serialized), name or x.fun_name, "jax:portable", "")
    if _is_lowered(x):
        return _named(x.as_text(debug_info=True).encode(), name or "lowered", "jax", "")
    called = str(name or getattr(x, "__name__", "jax_function"))
    jitted = x if hasattr(x, "lower") else jax.jit(x)
    try:
        if portable:
            source = bytes(jax.export.export(jitted)(*inputs).mlir_module_serialized)
            line = f"python: jax.export.export(jax.jit({called}))(*inputs).mlir_module_serialized"
            return _named(source, called, "jax:portable", line)
        text = jitted.lower(*inputs).as_text(debug_info=True)
    except Exception as error:  # JAX raises many kinds, each with the reason in words
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise ProgramError(
            f"JAX cannot trace {called}: {type(error).__name__}: {' '.join(said[:2])[:400]}",
            todo="call it once with these inputs; program(f, x, y) takes one input per argument",
        ) from error
    return _named(
        text.encode(),
        called,
        "jax",
        f"python: jax.jit({called}).lower(*inputs).as_text(debug_info=True)",
    )


def _named(source: bytes, name: str, road: str, line: str) -> Program:
    commands = (line,) if line else ()
    return from_source(source, name=safe_name(name.strip("<>")), road=road, commands=commands)


def _is_exported(x: object) -> bool:
    return hasattr(x, "mlir_module_serialized") and hasattr(x, "fun_name")


def _is_lowered(x: object) -> bool:
    return hasattr(x, "compiler_ir") and hasattr(x, "as_text")
