"""The pass gets the module; walk visits the function and all that is inside it."""

from iree.compiler import ir


def answer(op: ir.Operation, pass_: object) -> None:
    for function in op.regions[0].blocks[0]:
        found: list[str] = []

        def visit(inner: ir.Operation, found: list[str] = found) -> ir.WalkResult:
            found.append(inner.name)
            return ir.WalkResult.ADVANCE

        function.operation.walk(visit)
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), len(found) - 1)
        function.operation.attributes["my.ops"] = number
