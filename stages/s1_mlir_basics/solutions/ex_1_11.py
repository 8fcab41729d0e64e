"""Swap only if the left is a constant and the right is none: then the result is left alone."""

from iree.compiler import ir
from iree.compiler import rewrite as rw
from iree.compiler.dialects import arith

from stages.s1_mlir_basics.toy.rewrite import defining


def _is_constant(value: ir.Value) -> bool:
    made = defining(value)
    return made is not None and made.name == "my.constant"


def answer(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    left, right = op.operands
    if not _is_constant(left) or _is_constant(right):
        return True
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.addi(right, left)])
    return False
