from iree.compiler import ir


def _mark(function: ir.Operation, number: int) -> None:
    i32 = ir.IntegerType.get_signless(32)
    function.attributes["my.ops"] = ir.IntegerAttr.get(i32, number)


def _flat(op: ir.Operation, pass_: object) -> None:
    for function in op.regions[0].blocks[0]:
        body = function.operation.regions[0].blocks[0]
        _mark(function.operation, len(list(body)))


def _itself(op: ir.Operation, pass_: object) -> None:
    for function in op.regions[0].blocks[0]:
        found: list[str] = []

        def visit(inner: ir.Operation, found: list[str] = found) -> ir.WalkResult:
            found.append(inner.name)
            return ir.WalkResult.ADVANCE

        function.operation.walk(visit)
        _mark(function.operation, len(found))


def _module(op: ir.Operation, pass_: object) -> None:
    _mark(op, 8)


def _fixed(op: ir.Operation, pass_: object) -> None:
    for function in op.regions[0].blocks[0]:
        _mark(function.operation, 4)


wrong = {
    "3 in @two": _flat,
    "the function itself counted": _itself,
    "@two has none": _module,
    "'none': 4": _fixed,
}
