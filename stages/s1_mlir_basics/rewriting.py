"""Exercises about patterns and conversions: the learner's function is run by MLIR's drivers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from iree.compiler import ir
from iree.compiler import rewrite as rw

from iree_layers.compare.census import ops
from iree_layers.compile import Target, build, program
from iree_layers.execute import agree, run
from iree_layers.learn import Verdict, right, wrong

__all__ = ["check_1_10", "check_1_11", "check_1_12"]

Pattern = Callable[[ir.Operation, rw.PatternRewriter], object]
Conversion = Callable[[ir.Operation, Any, rw.TypeConverter, Any], object]

_DOUBLE = """func.func @f(%a: f32, %b: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %0 = arith.mulf %a, %two : f32
  %1 = arith.mulf %0, %three : f32
  %2 = arith.mulf %1, %b : f32
  return %2 : f32
}
"""


def check_1_10(answer: Pattern) -> Verdict:
    """X · 2 → x + x, and nothing else."""
    text = _greedy(_DOUBLE, "arith.mulf", answer)
    if text is None:
        return wrong("an end", "the driver gave up: your pattern applies for ever", look="when not")
    found = ops(text)
    if found["arith.mulf"] == 3:
        return wrong("x · 2 rewritten", "nothing was rewritten", look="the value of the constant")
    if found["arith.mulf"] != 2 or found["arith.addf"] != 1:
        counts = f"{found['arith.mulf']} products and {found['arith.addf']} sums"
        return wrong("one of three products rewritten", counts, look="which constant it is")
    if "arith.addf %arg0, %arg0" not in text:
        return wrong("x + x", "another sum", look="the operands of the new op")
    return right("x + x", look="return True where a pattern does not apply")


def _greedy(text: str, name: str, pattern: Pattern, limit: int = 200) -> str | None:
    """The text after the greedy driver; None if it did not converge."""
    with ir.Context():
        module = ir.Module.parse(text)
        patterns, limits = rw.RewritePatternSet(), rw.GreedyRewriteConfig()
        patterns.add(name, pattern)
        limits.max_num_rewrites = limit
        try:
            rw.apply_patterns_and_fold_greedily(module, patterns.freeze(), limits)
        except RuntimeError as error:
            if "failed to converge" not in str(error):
                raise
            return None
        return str(module)


_SUMS = """func.func @f(%a: i32, %b: i32) -> i32 {
  %c = "my.constant"() : () -> i32
  %0 = arith.addi %c, %a : i32
  %1 = arith.addi %0, %c : i32
  %2 = arith.addi %b, %1 : i32
  %3 = arith.addi %c, %c : i32
  %4 = arith.addi %2, %3 : i32
  return %4 : i32
}
"""


def check_1_11(answer: Pattern) -> Verdict:
    """`my.constant` on the right, wherever only one operand is one; and it must end."""
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(_SUMS)
        patterns, limits = rw.RewritePatternSet(), rw.GreedyRewriteConfig()
        patterns.add("arith.addi", answer)
        limits.max_num_rewrites = 200
        try:
            rw.apply_patterns_and_fold_greedily(module, patterns.freeze(), limits)
        except RuntimeError as error:
            if "failed to converge" not in str(error):
                raise
            found = "the driver gave up: some sum is swapped for ever"
            return wrong("a pattern that comes to an end", found, look="constant + constant")
        text = str(module)
    if "arith.addi %0, %arg0" in text:
        return wrong("a constant on the right", "one is on the left still", look="the first sum")
    if "arith.addi %arg0, %0" not in text or "arith.addi %1, %0" not in text:
        return wrong("the same sums, in another order", text[:200], look="what you put in place")
    if "arith.addi %arg1, %2" not in text:
        return wrong("sums without a constant as they were", "one was swapped", look="when not")
    return right("every constant is on the right", look="a pattern needs a direction")


_NORM = """func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "toy.norm2"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "toy.norm2"(%0, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


def check_1_12(answer: Conversion) -> Verdict:
    """A full conversion out of `toy`, then the numbers."""
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(_NORM)
        goal = rw.ConversionTarget(context)
        goal.add_illegal_dialect("toy")
        for dialect in ("builtin", "func", "arith", "math"):
            goal.add_legal_dialect(dialect)
        types, patterns = rw.TypeConverter(), rw.RewritePatternSet()
        same = lambda kind: kind  # noqa: E731 - the converter does not keep it alive
        types.add_conversion(same)
        patterns.add_conversion("toy.norm2", answer, types)
        try:
            rw.apply_full_conversion(module.operation, goal, patterns.freeze())
        except ir.MLIRError as error:
            said = str(error).splitlines()[1][:140]
            return wrong("no toy left, legal ops only", said, look="what you put in place")
        text = str(module)
    if left := [name for name in ops(text) if name.startswith("toy.")]:
        # The driver does not look at ops that Python made without its rewriter (3.13.0).
        return wrong("arith only", f"{left[0]} is there", look="what you put in place")
    a, b = np.arange(4, dtype=np.float32), np.full(4, 3, np.float32)
    result = run(build(program(text, name="f"), Target.HOST).vmfb, "f", a, b)
    first = a * a + b * b
    if agree(result, first * first + a * a):
        return right("a·a + b·b", look="adaptor.operands are already converted")
    return wrong("a·a + b·b", f"{result.tolist()}", look="the operands of each op")
