"""Exercises on the Toy track: a rewrite, a shape rule, a lowering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from iree.compiler import ir
from iree.compiler import rewrite as rw

from iree_layers.compile import Target, build, program
from iree_layers.execute import agree, run
from iree_layers.learn import Verdict, right, wrong

from .toy import ops
from .toy.lower import PATTERNS
from .toy.rewrite import unused

__all__ = ["check_1_13", "check_1_14", "check_1_15"]

_CONSTANT = """func.func @main(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = "toy.constant"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}
      : () -> tensor<2x3xf32>
  %1 = "toy.transpose"(%0) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = "toy.transpose"(%x) : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<3x2xf32>, tensor<2x3xf32>
}
"""


def check_1_13(answer: Callable[[ir.Operation, rw.PatternRewriter], object]) -> Verdict:
    """transpose(constant) → constant, and other transposes as they were."""
    with ops.context():
        module = ir.Module.parse(_CONSTANT)
        patterns = rw.RewritePatternSet()
        patterns.add("toy.transpose", answer, benefit=2)
        patterns.add("toy.constant", unused)
        rw.apply_patterns_and_fold_greedily(module, patterns.freeze())
        body = [op.operation for op in module.body.operations[0].regions[0].blocks[0]]
        names = [op.name for op in body]
        if names.count("toy.transpose") == 2:
            return wrong("a constant in its place", "both transposes are there", look="defining(…)")
        if names.count("toy.transpose") == 0:
            return wrong("the transpose of %x kept", "it is gone", look="block arguments")
        made = next(op for op in body if op.name == "toy.constant")
        shape = list(ir.RankedTensorType(made.results[0].type).shape)
        value = made.attributes["value"]
        if shape != [3, 2] or not isinstance(value, ir.DenseFPElementsAttr):
            return wrong("a constant of 3x2", f"a result of {shape}", look="type and value")
        numbers = np.array(value).tolist()
        if numbers != [[1, 4], [2, 5], [3, 6]]:
            return wrong("the numbers transposed", f"{numbers}", look="np.array(…)")
    return right("folded while compiling", look="MLIR's ops do this in a hook called fold")


def check_1_14(answer: Callable[[Sequence[list[int]]], list[int]]) -> Verdict:
    """(m, k) · (k, n) → (m, n), and an error where k differs."""
    for shapes, wanted in (([[2, 3], [3, 5]], [2, 5]), ([[1, 7], [7, 1]], [1, 1])):
        given = list(answer(shapes))
        if given != wanted:
            found = f"{given}"
            if given == shapes[0]:
                found = f"the shape of the first, {given}"
            elif given == wanted[::-1]:
                found = f"{given}, turned round"
            return wrong(f"{wanted}", found, look="rows of one, columns of the other")
    try:
        answer([[2, 3], [4, 5]])
    except ValueError:
        return right("and [2, 3] · [4, 5] is refused", look="add it to infer.RULES")
    return wrong("ValueError for [2, 3] · [4, 5]", "an answer", look="the two inner sizes")


_MATMUL = """func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = "toy.matmul"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "toy.add"(%0, %0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
"""


def check_1_15(answer: Callable[[ir.Operation, Any, rw.TypeConverter, Any], object]) -> Verdict:
    """Full conversion with the learner's pattern among the others, then the numbers."""
    with ops.context() as context:
        module = ir.Module.parse(_MATMUL)
        goal = rw.ConversionTarget(context)
        goal.add_illegal_dialect("toy")
        for dialect in ("builtin", "func", "arith", "linalg", "tensor"):
            goal.add_legal_dialect(dialect)
        types, patterns = rw.TypeConverter(), rw.RewritePatternSet()
        same = lambda kind: kind  # noqa: E731 - the converter does not keep it alive
        types.add_conversion(same)
        patterns.add_conversion("toy.add", PATTERNS["toy.add"], types)
        patterns.add_conversion("toy.matmul", answer, types)
        try:
            rw.apply_full_conversion(module.operation, goal, patterns.freeze())
        except ir.MLIRError as error:
            said = str(error).splitlines()[1][:140]
            return wrong("no toy left, legal ops only", said, look="what you put in place")
        text = str(module)
    if "linalg.matmul" not in text:
        return wrong("a linalg.matmul", "none is there", look="linalg.matmul(a, b, outs=[…])")
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    b = np.arange(12, dtype=np.float32).reshape(3, 4) - 5
    result = run(build(program(text, name="main"), Target.HOST).vmfb, "main", a, b)
    if agree(result, 2 * (a @ b)):
        return right("a·b, twice", look="linalg adds to what is in outs, so fill it with zero")
    return wrong("a·b", f"{result.tolist()}", look="what outs holds before the product")
