"""Pipelines step by step, through iree-opt and in this process, which must say the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from iree.compiler import ir
from iree.compiler.passmanager import PassManager

from iree_layers.dump.steps import Steps, opt, passes
from iree_layers.errors import CompileError, DumpError

WASTE = """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<2.0> : tensor<4xf32>
  %d = arith.constant dense<2.0> : tensor<4xf32>
  %dead = arith.mulf %c, %d : tensor<4xf32>
  %0 = arith.addf %x, %c : tensor<4xf32>
  %1 = arith.addf %x, %d : tensor<4xf32>
  %2 = arith.mulf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
TIDY = "builtin.module(func.func(cse),canonicalize)"


def test_both_ways_give_the_same_steps() -> None:
    outside = opt(WASTE, TIDY)
    with ir.Context():
        inside = passes(ir.Module.parse(WASTE), TIDY)
    assert [s.name for s in outside] == [s.name for s in inside] == ["cse", "canonicalize"]
    assert [outside.after(k) for k in (0, 1)] == [inside.after(k) for k in (0, 1)]
    assert outside.text.strip() == inside.text.strip()
    assert outside.start.strip() == inside.start.strip()
    assert outside.command
    assert inside.command is None


def test_before_is_what_came_out_of_the_step_before() -> None:
    steps = opt(WASTE, TIDY)
    assert steps.before(0) == steps.start
    assert steps.before("canonicalize") == steps.after("cse")
    assert "arith.mulf" in steps.before("cse")
    with pytest.raises(DumpError, match="no step 'cce'") as caught:
        steps.after("cce")
    assert "cse, canonicalize" in caught.value.expected


def test_scope_before_and_change_print_what_they_say() -> None:
    assert opt(WASTE, TIDY, scope="op").after("cse").startswith("func.func @f")
    both = opt(WASTE, TIDY, before=True)
    assert [s.header.when for s in both] == ["Before", "After"] * 2
    assert [s.name for s in opt(WASTE, TIDY, prints="change")] == ["cse"]
    assert len(opt(WASTE, TIDY, prints="failure")) == 0


def test_reports_are_said_beside_the_ir() -> None:
    steps = opt(WASTE, TIDY, flags=["--mlir-pass-statistics"])
    assert "2 num-cse'd" in steps.said
    assert "func.func" not in steps.said.replace("'func.func' Pipeline", "")


@pytest.mark.parametrize(
    ("pipeline", "found", "todo"),
    [
        ("builtin.module(canonicalise)", "does not refer to a registered", "canonicalize"),
        ("func.func(cse)", "can't run 'func.func'", "builtin.module(func.func(cse))"),
        ("cse", "expected pass pipeline to be wrapped", "builtin.module(cse)"),
        ("builtin.module(affine-super-vectorize)", "did you intend to nest", "nest it, func.func"),
        ("builtin.module(func.func(gpu-kernel-outlining))", "intend to nest", "put it outside"),
        ("builtin.module(func.func(symbol-dce))", "scheduled to run under", "put it outside"),
        ("builtin.module(cse{nosuch=1})", "no such option nosuch", "lists the options"),
    ],
)
def test_what_is_wrong_with_a_pipeline_is_explained(pipeline: str, found: str, todo: str) -> None:
    with pytest.raises(CompileError) as caught:
        opt(WASTE, pipeline)
    assert found in caught.value.found
    assert todo in caught.value.todo
    assert caught.value.command.startswith("iree-opt program.mlir ")


def test_a_failure_keeps_the_steps_until_then() -> None:
    with pytest.raises(CompileError, match="scheduled to run under SymbolDCE") as caught:
        opt(WASTE, "builtin.module(cse,func.func(symbol-dce))")
    partial = caught.value.partial
    assert isinstance(partial, Steps)
    assert [(s.name, s.header.failed) for s in partial] == [("cse", False), ("symbol-dce", True)]
    assert "num-cse" not in partial.after("cse")


def test_text_that_does_not_parse_is_said_before_any_pass() -> None:
    with pytest.raises(CompileError, match="undeclared SSA value"):
        opt("func.func @f() -> f32 { return %z : f32 }", TIDY)


def _counted(op: ir.Operation, pass_: object) -> None:
    op.attributes["my.seen"] = ir.UnitAttr.get()


def test_a_pass_in_python_is_a_step_like_others() -> None:
    with ir.Context() as context:
        threads = context.get_num_threads()
        manager = PassManager.parse(TIDY)
        manager.add(_counted, "Counted", "counted", "marks the module")
        steps = passes(ir.Module.parse(WASTE), manager)
        assert context.get_num_threads() == threads
    assert [s.name for s in steps] == ["cse", "canonicalize", "counted"]
    assert "my.seen" in steps.after("counted")
    assert "my.seen" not in steps.before("counted")


def test_what_a_pass_in_python_raises_is_unchanged() -> None:
    def bad(op: ir.Operation, pass_: object) -> None:
        raise ValueError("mine")

    with ir.Context():
        manager = PassManager("builtin.module")
        manager.add(bad, "Bad", "bad", "fails")
        with pytest.raises(ValueError, match="mine"):
            passes(ir.Module.parse(WASTE), manager)


def test_a_signalled_failure_and_a_wrong_name_in_this_process() -> None:
    def refuse(op: ir.Operation, pass_: object) -> None:
        pass_.signal_pass_failure()  # type: ignore[attr-defined]

    with ir.Context():
        manager = PassManager("builtin.module")
        manager.add(refuse, "Refuse", "refuse", "refuses")
        with pytest.raises(CompileError, match="pipeline failed") as caught:
            passes(ir.Module.parse(WASTE), manager)
        assert [s.header.failed for s in caught.value.partial] == [True]  # type: ignore[attr-defined]
        with pytest.raises(CompileError) as caught:
            passes(ir.Module.parse(WASTE), "builtin.module(canonicalise)")
    assert "canonicalize" in caught.value.todo


def test_descriptor_2_is_given_back(tmp_path: Path) -> None:
    before = os.fstat(2)
    with ir.Context():
        passes(ir.Module.parse(WASTE), TIDY)
    assert os.fstat(2) == before
