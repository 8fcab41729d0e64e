"""Chapter 4, first half: bodies in place of calls.

MLIR's own `inline` pass asks each op of a body whether it may be moved, and an unregistered op does
not answer. In C++ a dialect says yes through `DialectInlinerInterface`.
"""

from __future__ import annotations

from iree.compiler import ir

__all__ = ["inline"]


def inline(module: ir.Module) -> int:
    """Replace every call of a function in the module by its body; give the number of calls."""
    functions = {op.attributes["sym_name"].value: op for op in module.body}
    done = 0
    while call := _first_call(module):
        _replace(call, functions[call.attributes["callee"].value])
        done += 1
    for name, function in functions.items():
        if name != "main":
            function.operation.erase()
    return done


def _first_call(module: ir.Module) -> ir.Operation | None:
    for function in module.body:
        for block in function.operation.regions[0]:
            for op in block:
                if op.operation.name == "func.call":
                    return op.operation
    return None


def _replace(call: ir.Operation, function: ir.OpView) -> None:
    body = function.operation.regions[0].blocks[0]
    now = dict(zip(body.arguments, call.operands, strict=True))
    for op in body:
        if op.operation.name == "func.return":
            call.results[0].replace_all_uses_with(now[op.operation.operands[0]])
            break
        copy = op.operation.clone(ip=ir.InsertionPoint(call))
        for k, operand in enumerate(op.operation.operands):
            copy.operands[k] = now[operand]
        now |= dict(zip(op.operation.results, copy.results, strict=True))
    call.erase()
