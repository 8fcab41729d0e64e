"""Six passes over one program, one of which changes what it computes (exercise 1.8)."""

from __future__ import annotations

from collections.abc import Callable

from iree.compiler import ir
from iree.compiler.passmanager import PassManager

from iree_layers.dump import Steps, passes

__all__ = ["GUILTY", "suspects"]

PROGRAM = """func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.subf %a, %b : f32
  %1 = arith.subf %a, %b : f32
  %2 = arith.mulf %0, %c : f32
  %3 = arith.mulf %1, %c : f32
  %4 = arith.addf %2, %3 : f32
  return %4 : f32
}
"""
GUILTY = "normalise-operands"


def suspects() -> Steps:
    """The steps of the pipeline, each with the whole module."""
    with ir.Context():
        manager = PassManager("builtin.module")
        manager.add(_mark, "MarkPure", "mark-pure", "")
        manager.add(_swap("arith.mulf"), "CommuteProducts", "commute-products", "")
        manager.add(_rename, "MakePrivate", "make-private", "")
        manager.add(_swap("arith.subf"), "NormaliseOperands", GUILTY, "")
        manager.add(_swap("arith.addf"), "CommuteSums", "commute-sums", "")
        manager.add(_mark, "MarkDone", "mark-done", "")
        return passes(ir.Module.parse(PROGRAM), manager)


def _functions(op: ir.Operation) -> list[ir.Operation]:
    return [function.operation for function in op.regions[0].blocks[0]]


def _mark(op: ir.Operation, pass_: object) -> None:
    for function in _functions(op):
        count = len(function.attributes)
        function.attributes[f"my.mark{count}"] = ir.UnitAttr.get()


def _rename(op: ir.Operation, pass_: object) -> None:
    for function in _functions(op):
        function.attributes["my.role"] = ir.StringAttr.get("kernel")


def _swap(name: str) -> Callable[[ir.Operation, object], None]:
    """Swap the operands of the last op of that name in each function."""

    def run(op: ir.Operation, pass_: object) -> None:
        for function in _functions(op):
            found = [i.operation for i in function.regions[0].blocks[0] if i.operation.name == name]
            first, second = found[-1].operands
            found[-1].operands[0], found[-1].operands[1] = second, first

    return run
