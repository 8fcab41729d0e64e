"""What MLIR says to a text: its message, or that it is legal."""

from __future__ import annotations

from iree.compiler import ir

__all__ = ["said", "verdict"]


def verdict(text: str, *, unregistered: bool = False) -> str:
    """MLIR's message to a whole text, without its first line; '' if the text is legal."""
    context = ir.Context()
    context.allow_unregistered_dialects = unregistered
    with context:
        try:
            ir.Module.parse(text)
        except ir.MLIRError as error:
            # Unable to parse module assembly:                (3.13.0)
            return str(error).partition("\n")[2].rstrip()
    return ""


def said(*body: str) -> str:
    """MLIR's message to a function `@f(%c: i1, %a: f32) -> f32` with these lines as its body.

    Line 2 of a message is the first of them.
    """
    text = "func.func @f(%c: i1, %a: f32) -> f32 {\n  " + "\n  ".join(body) + "\n}"
    return verdict(text) or "nothing: it is legal"
