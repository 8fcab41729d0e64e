"""Chapter 2: a dialect and its ops, and a front end that emits them.

Toy's ops work on tensors of `f32`. The bindings of this release cannot make an op known to MLIR
itself from Python (`iree.compiler.dialects.ext` fails to import in 3.13.0), so the ops are
*unregistered*: MLIR prints them in generic form, and knows nothing of what they mean. What they
mean is all in this folder.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np
from iree.compiler import ir
from iree.compiler.dialects import func

__all__ = ["context", "emit", "op", "unranked"]

SOURCE = """
def multiply_transpose(a, b):
    return transpose(a) * transpose(b)

def main():
    a = [[1, 2, 3], [4, 5, 6]]
    b = [[1, 0, 2], [0, 1, 0]]
    c = multiply_transpose(a, b)
    return transpose(transpose(c * c))
"""
"Toy in the syntax of Python: functions, names, matrices, `*`, `+`, `transpose`, calls"


def context() -> ir.Context:
    """A context that takes ops of dialects it does not know."""
    made = ir.Context()
    made.allow_unregistered_dialects = True
    return made


def unranked() -> ir.Type:
    """`tensor<*xf32>`: some tensor, its shape is not known yet."""
    return ir.UnrankedTensorType.get(ir.F32Type.get())


def op(
    name: str, *operands: ir.Value, type: ir.Type | None = None, **attributes: ir.Attribute
) -> ir.Value:
    """Create `toy.name` at the insertion point, with one result (unranked, if you say nothing)."""
    result = unranked() if type is None else type
    made = ir.Operation.create(
        f"toy.{name}", results=[result], operands=list(operands), attributes=attributes
    )
    return made.results[0]


def emit(source: str) -> ir.Module:
    """Toy source → a module of `toy` ops; all shapes but those of constants are unknown.

    Python's own parser makes the syntax tree; what is not Toy raises SyntaxError.
    """
    with ir.Location.unknown():
        module = ir.Module.create()
        for function in ast.parse(source).body:
            if not isinstance(function, ast.FunctionDef):
                raise SyntaxError(f"line {function.lineno}: Toy has functions only")
            with ir.InsertionPoint(module.body):
                _function(function)
    return module


def _function(tree: ast.FunctionDef) -> None:
    names = [argument.arg for argument in tree.args.args]
    made = func.FuncOp(tree.name, ([unranked()] * len(names), [unranked()]))
    if tree.name != "main":
        made.attributes["sym_visibility"] = ir.StringAttr.get("private")
    with ir.InsertionPoint(made.add_entry_block()):
        known = dict(zip(names, made.arguments, strict=True))
        for line in tree.body:
            if isinstance(line, ast.Return) and line.value:
                func.ReturnOp([_value(line.value, known)])
            elif isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
                known[line.targets[0].id] = _value(line.value, known)
            else:
                raise SyntaxError(f"line {line.lineno}: Toy has `name = …` and `return …` only")


def _value(tree: ast.expr, known: Mapping[str, ir.Value]) -> ir.Value:
    match tree:
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.BinOp(left=left, op=ast.Mult() | ast.Add() as sign, right=right):
            name = "mul" if isinstance(sign, ast.Mult) else "add"
            return op(name, _value(left, known), _value(right, known))
        case ast.Call(func=ast.Name(id="transpose"), args=[one]):
            return op("transpose", _value(one, known))
        case ast.Call(func=ast.Name(id=name), args=args):
            operands = [_value(one, known) for one in args]
            return func.CallOp([unranked()], name, operands).results[0]
        case ast.List():
            matrix = ir.DenseElementsAttr.get(np.array(ast.literal_eval(tree), np.float32))
            constant = op("constant", type=matrix.type, value=matrix)
            return op("cast", constant)
    raise SyntaxError(f"line {tree.lineno}: this is no Toy: {ast.unparse(tree)}")
