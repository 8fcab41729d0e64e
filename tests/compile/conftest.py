"""Programs and captures that the tests of this folder share."""

from __future__ import annotations

import pytest

from iree_layers.compile.capture import Capture, capture
from iree_layers.compile.program import Program
from iree_layers.compile.shim import shim

MLP = b"""\
func.func @mlp(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %bb = linalg.broadcast ins(%b : tensor<16xf32>) outs(%empty : tensor<4x16xf32>) dimensions = [0]
  %sum = arith.addf %mm, %bb : tensor<4x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<4x16xf32>
  %relu = arith.maximumf %sum, %zeros : tensor<4x16xf32>
  return %relu : tensor<4x16xf32>
}
"""  # noqa: E501

# An op that no dialect knows, in generic form: the parser takes it, dispatch creation dies of it.
CRASH = b"""\
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  "foo.bar"() : () -> ()
  return %x : tensor<4xf32>
}
"""

# The first pass that has to do something about this op refuses it.
FAIL = b"""\
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "tosa.custom"(%x) {domain_name = "d", implementation_attrs = "", operator_name = "o"}
     : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
"""


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No shim in this test."""
    monkeypatch.setenv("IREE_LAYERS_PLAIN", "1")


@pytest.fixture
def fast() -> None:
    """The shim in this test, or no test."""
    found = shim()
    if not found.path:
        pytest.skip(f"no fast capture here: {found.why}")


@pytest.fixture(scope="session")
def mlp() -> Program:
    return Program("mlp", MLP, "mlir")


@pytest.fixture(scope="session")
def mlp_capture(mlp: Program) -> Capture:
    return capture(mlp)


@pytest.fixture(scope="session")
def mlp_module_capture(mlp: Program) -> Capture:
    return capture(mlp, scope="module")
