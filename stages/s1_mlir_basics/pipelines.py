"""Exercises about passes: a pipeline that is run, a culprit, a pass of the learner's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from iree.compiler import ir
from iree.compiler.passmanager import PassManager

from iree_layers.compare.census import ops
from iree_layers.compile import run_tool
from iree_layers.dump import opt, passes
from iree_layers.errors import CompileError, LayersError
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import kind, listed, word

from .suspects import GUILTY, suspects

__all__ = ["check_1_7", "check_1_8", "check_1_9", "check_1_16"]

HERE = Path(__file__).parent


def check_1_7(answer: str) -> Verdict:
    """Run the pipeline over tile.mlir and look at what is left."""
    try:
        text = opt((HERE / "tile.mlir").read_text(), str(answer).strip()).text
    except CompileError as error:
        return wrong("a pipeline that runs", error.found[:300], look=error.todo or "the message")
    if "tensor<" in text:
        return wrong("no tensor left", "there are tensors", look="bufferise first")
    left = [op for op in ops(text) if op.startswith(("linalg.", "affine.", "cf."))]
    if left:
        return wrong("func, arith, memref and scf only", f"{left[0]} is there", look="the loops")
    if "scf.for" not in text:
        return wrong("loops", "no scf.for", look="convert-linalg-to-loops")
    return right("loops on memory, and nothing above them", look="a pass of its own does it")


def check_1_8(answer: str) -> Verdict:
    """The pass after which the program computes something else."""
    given = word(answer)
    names = [snapshot.name for snapshot in suspects()]
    if given == GUILTY:
        return right("it swaps the operands of a subtraction", look="a − b is not b − a")
    if given not in names:
        return wrong("a pass of suspects()", f"{answer!r}", look="show.steps(suspects())")
    if given.startswith("commute"):
        found = f"{given} swaps operands where the order does not matter"
    else:
        found = f"{given} changes attributes only"
    return wrong("the pass that changes the result", found, look="the diff of each step")


_TWO = """func.func @two(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  %1 = scf.execute_region -> f32 {
    %2 = arith.mulf %0, %a : f32
    scf.yield %2 : f32
  }
  return %1 : f32
}
func.func @none() {
  return
}
"""


def check_1_9(answer: Callable[[ir.Operation, object], None]) -> Verdict:
    """Run it as a pass over two functions, one with a nested region."""
    with ir.Context():
        manager = PassManager("builtin.module")
        manager.add(answer, "Learner", "learners-pass", "")
        module = ir.Module.parse(_TWO)
        passes(module, manager)
        found = {}
        for function in module.body:
            attributes = function.operation.attributes
            if "my.ops" not in attributes:
                name = function.operation.attributes["sym_name"].value
                return wrong("my.ops on each function", f"@{name} has none", look="op.regions")
            found[attributes["sym_name"].value] = ir.IntegerAttr(attributes["my.ops"]).value
    if found == {"two": 5, "none": 1}:
        return right("5 and 1", look="walk visits what is inside regions too")
    if found == {"two": 3, "none": 1}:
        return wrong("ops in inner regions too", "3 in @two", look="Operation.walk")
    if found == {"two": 6, "none": 2}:
        return wrong("ops inside the function", "the function itself counted", look="minus one")
    return wrong("5 in @two and 1 in @none", f"{found}", look="what your walk counts")


def check_1_16(answer: object) -> Verdict:
    """Run the command line in the stage's folder and look at what it prints."""
    words = [str(one) for one in listed(answer) or []]
    if not words:
        return wrong("a list of words", kind(answer), look='words = ["iree-opt", …]')
    if words[0] != "iree-opt":
        return wrong("the tool that is in the wheel", words[0], look="the table of tools")
    try:
        out = run_tool(*words, cwd=HERE).stdout
    except LayersError as error:
        return wrong("a command line that it takes", error.found[:300], look="iree-opt --help")
    sums = ops(out)["arith.addf"]
    if sums != 1:
        return wrong("one sum, after cse", f"{sums} sums", look="the pass pipeline")
    if '"func.func"' not in out:
        return wrong("names in quotes", "the custom form", look="iree-opt --help, print-op")
    return right("cse, in generic form", look="mlir-opt has the same flags")
