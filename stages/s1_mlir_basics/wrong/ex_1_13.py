import numpy as np
from iree.compiler import ir
from iree.compiler import rewrite as rw

from stages.s1_mlir_basics.solutions.ex_1_13 import answer as _good
from stages.s1_mlir_basics.toy import ops
from stages.s1_mlir_basics.toy.rewrite import defining


def _reshaped(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    inner = defining(op.operands[0])
    if inner is None:
        return True
    turned = np.array(inner.attributes["value"]).reshape(3, 2)
    with rewriter.ip, op.location:
        value = ir.DenseElementsAttr.get(turned)
        rewriter.replace_op(op, [ops.op("constant", type=value.type, value=value)])
    return False


def _all(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    if defining(op.operands[0]) is not None:
        return bool(_good(op, rewriter))
    shape = ir.RankedTensorType(op.results[0].type).shape
    with rewriter.ip, op.location:
        value = ir.DenseElementsAttr.get(np.zeros(shape, np.float32))
        rewriter.replace_op(op, [ops.op("constant", type=value.type, value=value)])
    return False


def _never(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    return defining(op.operands[0]) is None or op.name == "toy.transpose"


wrong = {
    "[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]": _reshaped,
    "it is gone": _all,
    "both transposes are there": _never,
}
