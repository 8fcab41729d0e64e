from iree.compiler import ir
from iree.compiler import rewrite as rw
from iree.compiler.dialects import arith

from stages.s1_mlir_basics.solutions.ex_1_11 import _is_constant


def _left(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    left, right = op.operands
    if not _is_constant(left):
        return True
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.addi(right, left)])
    return False


def _never(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    return not _is_constant(op.operands[0]) or _is_constant(op.operands[0])


def _doubled(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    left, right = op.operands
    if not _is_constant(left) or _is_constant(right):
        return True
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.addi(right, right)])
    return False


wrong = {
    "swapped for ever": _left,
    "one is on the left still": _never,
    "the same sums, in another order": _doubled,
}
