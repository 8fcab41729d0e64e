from iree.compiler import ir
from iree.compiler import rewrite as rw
from iree.compiler.dialects import arith

from stages.s1_mlir_basics.toy.rewrite import defining


def _any_constant(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    if defining(op.operands[1]) is None:
        return True
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.addf(op.operands[0], op.operands[0])])
    return False


def _never(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    return defining(op.operands[1]) is None or op.name != "arith.divf"


def _again(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.mulf(op.operands[0], op.operands[1])])
    return False


def _two_and_two(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    right = defining(op.operands[1])
    if right is None or ir.FloatAttr(right.attributes["value"]).value != 2.0:
        return True
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.addf(op.operands[0], op.operands[1])])
    return False


wrong = {
    "1 products and 2 sums": _any_constant,
    "nothing was rewritten": _never,
    "applies for ever": _again,
    "another sum": _two_and_two,
}
