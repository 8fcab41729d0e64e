from typing import Any

from iree.compiler import ir
from iree.compiler import rewrite as rw
from iree.compiler.dialects import arith


def _product(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    a, b = adaptor.operands
    with rewriter.ip, op.location:
        rewriter.replace_op(op, [arith.mulf(a, b)])


def _refuses(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> bool:
    return op.name == "toy.norm2"


def _more_toy(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    with rewriter.ip, op.location:
        made = ir.Operation.create(
            "toy.square", results=[op.results[0].type], operands=[adaptor.operands[0]]
        )
        rewriter.replace_op(op, [made.results[0]])


wrong = {
    "[0.0, 3.0, 12.0, 27.0]": _product,
    "failed to legalize operation 'toy.norm2'": _refuses,
    "toy.square is there": _more_toy,
}
