"""LLVM IR called with NumPy arrays: IREE's own translation of MLIR, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from iree.compiler import ir
from iree.compiler.dialects import llvm

from iree_layers.dump.steps import opt
from iree_layers.errors import RunError
from iree_layers.execute.jit import call_llvm

TEXT = """
func.func @twice(%x: memref<3x4xf32>, %y: memref<3x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<3x4xf32>) outs(%y : memref<3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  }
  return
}
"""
LOOPS = "builtin.module(func.func(convert-linalg-to-loops),convert-scf-to-cf,iree-convert-to-llvm)"


@pytest.fixture(scope="module")
def text() -> str:
    with ir.Context():
        return str(
            llvm.translate_module_to_llvmir(ir.Module.parse(opt(TEXT, LOOPS).text).operation)
        )


def test_it_writes_into_its_array(text: str) -> None:
    x, y = np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros((3, 4), np.float32)
    call_llvm(text, "twice", x, y)
    np.testing.assert_array_equal(y, 2 * x)


def test_the_wrong_arrays_are_refused_before_the_call(text: str) -> None:
    x = np.zeros((3, 4), np.float32)
    with pytest.raises(RunError, match="make 7 words, and @twice takes 14"):
        call_llvm(text, "twice", x)


def test_a_name_that_is_not_there_gets_those_that_are(text: str) -> None:
    with pytest.raises(RunError, match="no function 'thrice'") as caught:
        call_llvm(text, "thrice")
    assert "twice" in caught.value.expected


def test_text_that_is_no_llvm_ir_is_refused() -> None:
    with pytest.raises(RunError, match="LLVM refuses"):
        call_llvm("define void @f() {\n  nonsense\n}\n", "f")
