"""IR as MLIR's own parser sees it, for findings that need operands and not only lines.

In: text of a module. Out: a live operation of `iree.compiler.ir`; whoever asks copies plain values
out of it and lets it go. Rests on the bindings of iree-base-compiler (3.13.0), where all of IREE's
dialects are registered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import DumpError

__all__ = ["attribute", "functions", "owner", "parsed", "segments", "short", "walk", "whole"]


def parsed(text: str, what: str) -> Any:
    """The module of a text.

    Args:
        text: a whole module.
        what: how the error calls it.

    Raises:
        DumpError: it does not parse, with MLIR's words.
    """
    from iree.compiler import ir

    context = ir.Context()
    context.allow_unregistered_dialects = True
    try:
        return ir.Module.parse(text, context).operation
    except ir.MLIRError as error:
        said = next((line for line in str(error).splitlines() if "error:" in line), str(error))
        raise DumpError(
            f"{what} does not parse: {said.strip()[:300]}",
            expected="a whole module of this release's IR",
            todo="give the text of a snapshot at module scope, or of a phase",
        ) from error


def walk(op: Any) -> Iterator[Any]:
    """The operations inside one, in the order of the text, each before what it holds."""
    for region in op.regions:
        for block in region:
            for inner in block:
                yield inner.operation
                yield from walk(inner.operation)


def functions(module: Any) -> Iterator[tuple[str, Any]]:
    """What runs on the host: functions by name, then initialisers as `initializer 0` and on."""
    initializers = 0
    for block in module.regions[0]:
        for each in block:
            op = each.operation
            if op.name in ("util.func", "func.func") and op.regions[0].blocks:
                yield short(op.attributes["sym_name"]), op
            elif op.name == "util.initializer":
                yield f"initializer {initializers}", op
                initializers += 1


def segments(op: Any) -> list[list[Any]]:
    """Operands by the groups that the op's definition has (`operandSegmentSizes`)."""
    operands = list(op.operands)
    if "operandSegmentSizes" not in op.attributes:
        return [[value] for value in operands]
    groups, at = [], 0
    for size in op.attributes["operandSegmentSizes"]:
        groups.append(operands[at : at + size])
        at += size
    return groups


def attribute(op: Any, name: str) -> str:
    """Text of an attribute, '' if there is none."""
    return str(op.attributes[name]) if name in op.attributes else ""


def owner(value: Any) -> Any:
    """The operation that makes a value; None for an argument of a block."""
    made = value.owner
    return made.operation if hasattr(made, "operation") else None


def whole(value: Any) -> int | None:
    """What a value is, if it is an integer constant."""
    made = owner(value)
    if made is None or made.name != "arith.constant":
        return None
    # `16384 : index`
    text = str(made.attributes["value"]).partition(" ")[0]
    return int(text) if text.lstrip("-").isdigit() else None


def short(symbol: Any) -> str:
    """A symbol without sign and quotes."""
    return str(symbol).strip('"').removeprefix("@")
