"""The tree of an op, against what MLIR's own walk says."""

from __future__ import annotations

from pathlib import Path

import pytest
from iree.compiler import ir

from iree_layers.dump.tree import grow
from iree_layers.errors import LayersError

PICK = """
func.func @pick(%c: i1, %a: f32, %b: f32) -> f32 {
  cf.cond_br %c, ^left, ^join(%b : f32)
^left:
  %twice = arith.addf %a, %a : f32
  cf.br ^join(%twice : f32)
^join(%x: f32):
  return %x : f32
}
"""
MLP = (Path(__file__).parents[2] / "stages" / "s2_pipeline" / "mlp.mlir").read_text()


@pytest.mark.parametrize("text", [PICK, MLP], ids=["blocks", "mlp"])
def test_it_has_the_ops_that_mlir_walks(text: str) -> None:
    names: list[str] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        names.append(op.name)
        return ir.WalkResult.ADVANCE

    with ir.Context():
        module = ir.Module.parse(text)
        module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
        assert [node.name for node in grow(module).walk()] == names
    assert grow(text) == grow(text)


def test_operands_name_the_values_they_use() -> None:
    (function,) = grow(PICK).regions[0][0].ops
    entry, left, join = function.regions[0]
    assert function.symbol == "@pick"
    assert [block.name for block in (entry, left, join)] == ["^bb0", "^bb1", "^bb2"]
    condition, a, b = entry.arguments
    assert entry.ops[-1].operands == (condition.number, b.number)
    assert entry.ops[-1].successors == ("^bb1", "^bb2")
    add = left.ops[0]
    assert add.operands == (a.number, a.number)
    assert left.ops[-1].operands == (add.results[0].number,)
    assert join.ops[0].operands == (join.arguments[0].number,)


def test_a_use_before_its_definition_in_the_text_is_known() -> None:
    loop = """func.func @f(%a: f32) -> f32 {
      cf.br ^second
    ^third:
      return %late : f32
    ^second:
      %late = arith.addf %a, %a : f32
      cf.br ^third
    }"""
    blocks = grow(loop).regions[0][0].ops[0].regions[0]
    made = blocks[2].ops[0].results[0].number
    assert blocks[1].ops[0].operands == (made,)


def test_an_op_alone_uses_values_from_outside() -> None:
    with ir.Context():
        module = ir.Module.parse("func.func @f(%a: f32) { %0 = arith.negf %a : f32\n return }")
        body = module.body.operations[0].regions[0].blocks[0]
        assert grow(body.operations[0]).operands == (-1,)


def test_unregistered_dialects_are_taken() -> None:
    assert grow('"toy.thing"() : () -> ()').regions[0][0].ops[0].name == "toy.thing"


@pytest.mark.parametrize(("what", "says"), [("func.func @f(", "error"), (3, "there is no tree")])
def test_what_is_no_op_is_said(what: object, says: str) -> None:
    with pytest.raises(LayersError, match=says):
        grow(what)
