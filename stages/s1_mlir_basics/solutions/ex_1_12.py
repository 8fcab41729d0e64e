"""Take the operands from the adaptor: they are those of the program as it is now."""

from typing import Any

from iree.compiler import ir
from iree.compiler import rewrite as rw
from iree.compiler.dialects import arith


def answer(op: ir.Operation, adaptor: Any, types: rw.TypeConverter, rewriter: Any) -> None:
    a, b = adaptor.operands
    with rewriter.ip, op.location:
        total = arith.addf(arith.mulf(a, a), arith.mulf(b, b))
        rewriter.replace_op(op, [total])
