"""Chapters 5 and 6: dialect conversion, out of `toy` into dialects that the compiler knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from iree.compiler import ir
from iree.compiler import rewrite as rw
from iree.compiler.dialects import arith, linalg, tensor

__all__ = ["PATTERNS", "lower"]

# What a conversion pattern gets: the op, its operands as converted so far, the type converter, and
# the rewriter.
Pattern = Callable[[ir.Operation, Any, rw.TypeConverter, Any], None]


def _constant(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    with rewriter.ip, op.location:
        value = op.attributes["value"]
        rewriter.replace_op(op, [arith.constant(value.type, value)])


def _cast(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    rewriter.replace_op(op, [adaptor.operands[0]])


def _mul(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.mulf(*adaptor.operands)])


def _add(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.addf(*adaptor.operands)])


def _transpose(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    with rewriter.ip, op.location:
        kind = ir.RankedTensorType(op.results[0].type)
        empty = tensor.empty(kind.shape, kind.element_type)
        turned = linalg.transpose(adaptor.operands[0], outs=[empty], permutation=[1, 0])
        rewriter.replace_op(op, [turned.results[0]])


PATTERNS: dict[str, Pattern] = {
    "toy.constant": _constant,
    "toy.cast": _cast,
    "toy.mul": _mul,
    "toy.add": _add,
    "toy.transpose": _transpose,
}


def lower(module: ir.Module, *names: str, full: bool = True) -> None:
    """Convert toy ops: those of `names`, by default all.

    Args:
        module: with shapes; it is changed.
        names: ops to convert, e.g. `"toy.mul"`.
        full: fail if anything of `toy` is left; otherwise convert what there is a pattern for.

    Raises:
        ir.MLIRError: an op that must go is left.
    """
    target = rw.ConversionTarget(module.context)
    if full:
        target.add_illegal_dialect("toy")
    for dialect in ("builtin", "arith", "linalg", "tensor", "func"):
        target.add_legal_dialect(dialect)
    types = rw.TypeConverter()
    keep = lambda type: type  # noqa: E731 - the converter does not keep it alive, this name does
    types.add_conversion(keep)
    patterns = rw.RewritePatternSet()
    for name in names or PATTERNS:
        if not full:
            target.add_illegal_op(name)
        patterns.add_conversion(name, PATTERNS[name], types)
    convert = rw.apply_full_conversion if full else rw.apply_partial_conversion
    convert(module.operation, target, patterns.freeze())
