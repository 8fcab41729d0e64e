"""Look at the op that makes the right operand; only the constant 2 will do."""

from iree.compiler import ir
from iree.compiler import rewrite as rw
from iree.compiler.dialects import arith

from stages.s1_mlir_basics.toy.rewrite import defining


def answer(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    right = defining(op.operands[1])
    if right is None or right.name != "arith.constant":
        return True
    if ir.FloatAttr(right.attributes["value"]).value != 2.0:
        return True
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.addf(op.operands[0], op.operands[0])])
    return False
