"""Chapter 4, second half: from `tensor<*xf32>` to shapes, in one walk from top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iree.compiler import ir

__all__ = ["RULES", "infer"]

Shape = list[int]
RULES: dict[str, Callable[[Sequence[Shape]], Shape]] = {
    "toy.cast": lambda shapes: shapes[0],
    "toy.transpose": lambda shapes: shapes[0][::-1],
    "toy.mul": lambda shapes: shapes[0],
    "toy.add": lambda shapes: shapes[0],
}
"shape of an op's result from the shapes of its operands"


def infer(module: ir.Module) -> list[str]:
    """Give every result a shape; returns the names of ops for which there is no rule."""
    missing = []
    for function in module.body:
        for op in function.operation.regions[0].blocks[0]:
            if op.operation.name in RULES:
                shapes = [list(ir.RankedTensorType(v.type).shape) for v in op.operation.operands]
                kind = _tensor(RULES[op.operation.name](shapes))
                op.operation.results[0].set_type(kind)
            elif op.operation.name == "func.return":
                types = [operand.type for operand in op.operation.operands]
                signature = ir.FunctionType.get(function.type.inputs, types)
                function.operation.attributes["function_type"] = ir.TypeAttr.get(signature)
            elif any(isinstance(v.type, ir.UnrankedTensorType) for v in op.operation.results):
                missing.append(op.operation.name)
    return missing


def _tensor(shape: Shape) -> ir.Type:
    return ir.RankedTensorType.get(shape, ir.F32Type.get(), loc=ir.Location.unknown())
