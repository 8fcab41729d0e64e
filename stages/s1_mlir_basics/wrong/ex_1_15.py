from typing import Any

import numpy as np
from iree.compiler import ir
from iree.compiler import rewrite as rw
from iree.compiler.dialects import arith, linalg


def _ones(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    kind = ir.RankedTensorType(op.results[0].type)
    with rewriter.ip, op.location:
        value = ir.DenseElementsAttr.get(np.ones(kind.shape, np.float32))
        start = arith.constant(kind, value)
        rewriter.replace_op(op, [linalg.matmul(*adaptor.operands, outs=[start])])


def _zeros(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    kind = ir.RankedTensorType(op.results[0].type)
    with rewriter.ip, op.location:
        value = ir.DenseElementsAttr.get(np.zeros(kind.shape, np.float32))
        rewriter.replace_op(op, [arith.constant(kind, value)])


def _refuses(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> bool:
    return op.name == "toy.matmul"


wrong = {
    "what outs holds before": _ones,
    "none is there": _zeros,
    "failed to legalize operation 'toy.matmul'": _refuses,
}
