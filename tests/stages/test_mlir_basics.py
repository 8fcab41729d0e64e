"""The programs of stage 1: `linalg.generic` interpreted, the Toy track, the search for tools."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from iree.compiler import ir

from iree_layers.compile import Target, build, program
from iree_layers.dump import opt
from iree_layers.execute import agree, run
from stages.s1_mlir_basics import mlir_opt
from stages.s1_mlir_basics.generic import evaluate, run_generic
from stages.s1_mlir_basics.suspects import GUILTY, suspects
from stages.s1_mlir_basics.toy import infer, inline, lower, ops, rewrite

CONVOLUTION = """
func.func @conv(%x: tensor<10xf32>, %k: tensor<3xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<10xf32>, tensor<3xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


def test_the_interpreter_does_what_iree_does() -> None:
    x, k = np.arange(10, dtype=np.float32), np.array([1, -2, 3], np.float32)
    zeros = np.zeros(8, np.float32)
    with ir.Context():
        module = ir.Module.parse(CONVOLUTION)
        op = module.body.operations[0].regions[0].blocks[0].operations[0].operation
        mine = run_generic(op, x, k, zeros)
    compiled = run(build(program(CONVOLUTION, name="conv"), Target.HOST).vmfb, "conv", x, k, zeros)
    assert agree(mine, compiled).ok
    assert agree(mine, np.convolve(x, k[::-1], "valid").astype(np.float32)).ok


def test_maps_are_sums_of_products() -> None:
    with ir.Context():
        map = ir.AffineMapAttr(ir.Attribute.parse("affine_map<(i, j) -> (i * 2 + j, 7)>")).value
        assert evaluate(map, (3, 1)) == (7, 7)
        floor = ir.AffineMapAttr(ir.Attribute.parse("affine_map<(i) -> (i floordiv 2)>")).value
        with pytest.raises(ValueError, match="no sum of products"):
            evaluate(floor, (3,))


def test_toy_comes_down_to_numbers() -> None:
    source = "def main():\n    a = [[1, 2], [3, 4]]\n    return transpose(a + a * a)\n"
    with ops.context():
        module = ops.emit(source)
        rewrite.simplify(module)
        assert inline.inline(module) == 0
        assert infer.infer(module) == []
        lower.lower(module)
        text = str(module)
    assert "toy." not in text
    result = run(build(program(text, name="toy"), Target.HOST).vmfb, "main")
    np.testing.assert_array_equal(result, np.array([[2, 12], [6, 20]], np.float32))


def test_calls_of_calls_are_inlined() -> None:
    source = (
        "def square(a):\n    return a * a\n"
        "def fourth(a):\n    return square(square(a))\n"
        "def main():\n    a = [[2]]\n    return fourth(a)\n"
    )
    with ops.context():
        module = ops.emit(source)
        assert inline.inline(module) >= 3
        infer.infer(module)
        lower.lower(module)
        text = str(module)
    result = run(build(program(text, name="toy"), Target.HOST).vmfb, "main")
    np.testing.assert_array_equal(result, [[16]])


@pytest.mark.parametrize(
    ("source", "says"),
    [("x = 3\n", "functions only"), ("def main():\n    return 1 / 2\n", "this is no Toy: 1 / 2")],
)
def test_what_is_no_toy_is_said(source: str, says: str) -> None:
    with ops.context(), pytest.raises(SyntaxError, match=says):
        ops.emit(source)


def test_one_suspect_changes_the_result() -> None:
    steps = suspects()
    a, b, c = (np.float32(v) for v in (5, 2, 3))
    wanted = np.array((a - b) * c * 2, np.float32)
    text = {s.name: opt(steps.after(s.index), "builtin.module(cse)").text for s in steps}
    right = {}
    for name, module in text.items():
        # Scalars at the front door are VM numbers; tensors of no dimension are arrays.
        lifted = module.replace("f32", "tensor<f32>")
        vmfb = build(program(lifted, name="f"), Target.HOST).vmfb
        right[name] = agree(run(vmfb, "f", *(np.array(v) for v in (a, b, c))), wanted).ok
    names = list(right)
    assert all(right[name] for name in names[: names.index(GUILTY)])
    assert not any(right[name] for name in names[names.index(GUILTY) :])


def test_mlir_opt_is_found_on_path_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert mlir_opt.find() is None
    for name in ("mlir-opt-16", "mlir-opt-19"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert mlir_opt.find() == tmp_path / "mlir-opt-19"


def test_what_mlir_opt_reads_is_its_exit_code(tmp_path: Path) -> None:
    tool = tmp_path / "mlir-opt"
    tool.write_text("#!/bin/sh\ngrep -q func.func\n")
    tool.chmod(0o755)
    assert mlir_opt.reads(tool, CONVOLUTION)
    assert not mlir_opt.reads(tool, "nothing")
