"""Advice comes from what the compiler really says."""

from __future__ import annotations

import pytest

from iree_layers.compile.advice import advice
from iree_layers.compile.build import build
from iree_layers.compile.capture import capture
from iree_layers.compile.program import program
from iree_layers.errors import CompileError

RESHAPE = """func.func @f(%x: tensor<?x4xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
UNSQUEEZE = """func.func @f(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],f32>
    attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %0 = torch.operator "onnx.Unsqueeze"(%x) {torch.onnx.axes = [0 : si64]}
      : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],f32>
  return %0 : !torch.vtensor<[1,4],f32>
}
"""
LAPACK = """func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""
SHAPE = """func.func @f() -> !tosa.shape<2> {
  %s = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  return %s : !tosa.shape<2>
}
"""
STRICT = """func.func @f(%a: f32) -> f32 {
  %0 = arith.addf %a, %a {fastmath = #arith.fastmath<fast>} : f32
  return %0 : f32
}
"""
TOY = "func.func @f(%a: f32) -> f32 {\n  %0 = toy.twice %a : f32\n  return %0 : f32\n}\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RESHAPE, "can say dynamic_reshape"),
        (UNSQUEEZE, "onnx.Unsqueeze in this opset"),
        (LAPACK, "lapack_spotrf_ffi is a call of a library"),
        (SHAPE, "tosa.const_shape is spelled otherwise"),
        (STRICT, "fastmath is a property"),
        (TOY, "the dialect toy"),
    ],
)
def test_the_reason_is_known(text: str, says: str) -> None:
    with pytest.raises(CompileError) as caught:
        build(program(text, name="f"))
    assert says in caught.value.todo


def test_a_printing_compile_has_it_too() -> None:
    with pytest.raises(CompileError) as caught:
        capture(program(RESHAPE, name="f"))
    assert "can say dynamic_reshape" in caught.value.todo


def test_what_is_not_known_gets_no_advice() -> None:
    assert advice("error: something else") == ""
