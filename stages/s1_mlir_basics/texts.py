"""Exercises whose answer is IR: it is parsed, compared, or compiled and run."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
from iree.compiler import ir

from iree_layers.compile import Target, build, program, run_tool
from iree_layers.dump.tree import grow
from iree_layers.errors import LayersError
from iree_layers.execute import agree, run
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import entries, listed, whole

from .broken import BROKEN
from .say import verdict

__all__ = ["check_1_1", "check_1_2", "check_1_3", "check_1_4", "check_1_5", "check_1_6"]

HERE = Path(__file__).parent
_COMPARE = "func.func @f(%a: f32, %b: f32) -> i1 {{\n  {}\n  return %0 : i1\n}}"


def check_1_1(answer: str) -> Verdict:
    """One op in generic form, compared in the function that it stands in."""
    line = answer.strip()
    if '"arith.cmpf"' not in line:
        return wrong("a name in quotes, as in the generic form", line[:80], look="print a module")
    message = verdict(_COMPARE.format(line))
    if message:
        return wrong("an op that MLIR takes", message.splitlines()[0], look="the five parts")
    asked = _printed(_COMPARE.format("%0 = arith.cmpf olt, %a, %b : f32"))
    given = _printed(_COMPARE.format(line))
    if given == asked:
        return right("MLIR prints both alike", look="olt is number 4 of its enum")
    return wrong("the same op as `olt, %a, %b`", given.splitlines()[1].strip(), look="predicate")


def _printed(text: str) -> str:
    with ir.Context():
        return str(ir.Module.parse(text)).partition("\n")[2]


def check_1_2(answer: object) -> Verdict:
    """Uses of the zero constant of tile.mlir, those inside regions too."""
    text = (HERE / "tile.mlir").read_text()
    nodes = list(grow(text).walk())
    zero = next(n.results[0].number for n in nodes if n.name == "arith.constant")
    uses = sum(node.operands.count(zero) for node in nodes)
    given = whole(answer)
    if given is None:
        return wrong("a whole number", f"{answer!r}", look="Value.uses")
    if given == uses:
        return right(f"{uses}: in linalg.fill, and inside the payload", look="a region sees out")
    found = "there is one more, deeper inside" if given == uses - 1 else f"{given}"
    return wrong("all uses, also in regions", found, look="the arrows of show.tree(tile)")


def check_1_3(answer: object) -> Verdict:
    """Each text must parse and still have all its ops and its function."""
    given = entries(answer)
    if given is None or set(given) != set(BROKEN):
        return wrong(f"a dict with {', '.join(BROKEN)}", f"{answer!r}"[:80], look="BROKEN")
    for name, text in given.items():
        message = verdict(str(text))
        if message:
            found = f"{name}: {message.splitlines()[0][:120]}"
            return wrong("IR that the verifier takes", found, look="what the message points at")
        lost = Counter(_ops(BROKEN[name])) - Counter(_ops(str(text)))
        if lost:
            return wrong("all ops still there", f"{name}: {', '.join(lost)} is gone", look="repair")
        if _signature(str(text)) != _signature(BROKEN[name]):
            found = f"{name}: {_signature(str(text))}"
            return wrong("the signature that it had", found, look="change the body only")
    return right("four programs that the verifier takes", look="say.verdict(text) is all you need")


def _ops(text: str) -> list[str]:
    """Names of ops in a text that may not parse."""
    # `%0 = arith.mulf …`     `"arith.cmpf"(…)`     `scf.yield …`
    return re.findall(r'(?:^\s*|= )"?((?:arith|scf)\.\w+)', text, re.MULTILINE)


def _signature(text: str) -> str:
    found = re.search(r"func\.func (@\w+\(.*?\) -> .*?) \{", text)
    return re.sub(r"%\w+: ", "", found[1]) if found else "no function"


def check_1_4(answer: str) -> Verdict:
    """Compile it, and ask for the sums of 0, 1, 5 and 10 numbers."""
    if "scf." in answer or "affine." in answer:
        return wrong("blocks and branches of cf", "a structured loop", look="cf.cond_br")
    if not re.search(r"\^\w+\(%", answer):
        return wrong("a block with arguments", "no block takes a value", look="^loop(%i: i32, …)")
    try:
        vmfb = build(program(answer, name="sum"), Target.HOST).vmfb
    except LayersError as error:
        return wrong("a program that compiles", error.found[:400], look="the line it names")
    for count in (0, 1, 5, 10):
        flags = ("--device=local-sync", "--function=sum", f"--input={count}")
        ran = run_tool("iree-run-module", f"--module={vmfb}", *flags, check=False, timeout=20)
        # result[0]: i32=10                                                          (3.13.0)
        found = re.search(r"result\[0\]: i32=(-?\d+)", ran.stdout)
        if not found:
            said = "it does not end" if ran.exit < 0 else ran.stderr.strip()[:120]
            return wrong("@sum(%n: i32) -> i32 that ends", said, look="the exit of the loop")
        if int(found[1]) != sum(range(count)):
            given = f"{found[1]} for n = {count}"
            return wrong(f"{sum(range(count))}", given, look="what each block argument is")
    return right("0, 0, 10 and 45", look="the block arguments are the loop's variables")


_GENERIC = """func.func @f(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>) -> tensor<4x16xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {{indexing_maps = [{}],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%init : tensor<4x16xf32>) {{
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}}
"""


def check_1_5(answer: object) -> Verdict:
    """Put the maps into a linalg.generic, compile and run it."""
    maps = [_map(one) for one in listed(answer) or []]
    if len(maps) != 3:
        return wrong("three maps, for A, B and C", f"{len(maps)} maps", look="one for each operand")
    text = _GENERIC.format(", ".join(maps))
    if message := verdict(text):
        return wrong("maps that fit the shapes", message.splitlines()[0][:140], look="the sizes")
    rng = np.arange(4 * 8, dtype=np.float32).reshape(4, 8) % 5 - 2
    b = np.arange(16 * 8, dtype=np.float32).reshape(16, 8) % 7 - 3
    result = run(build(program(text, name="f"), Target.HOST).vmfb, "f", rng, b)
    if agree(result, rng @ b.T):
        return right("A · Bᵀ", look="no transpose is needed: the map of B does it")
    return wrong("A · Bᵀ", "other numbers", look="which loop is which index of C")


def _map(one: object) -> str:
    text = str(one).strip()
    return text if text.startswith("affine_map<") else f"affine_map<{text}>"


def check_1_6(answer: str) -> Verdict:
    """Compile and run; it must be one linalg.generic with a reduction."""
    x = np.arange(32, dtype=np.float32).reshape(4, 8) % 7 - 3
    try:
        vmfb = build(program(answer, name="rows"), Target.HOST).vmfb
    except LayersError as error:
        return wrong("a program that compiles", error.found[:400], look="the line it names")
    if "linalg.generic" not in answer or '"reduction"' not in answer:
        return wrong("a linalg.generic that reduces", "another way", look="iterator_types")
    try:
        result = run(vmfb, "rows", x)
    except LayersError as error:
        return wrong("@rows of a tensor<4x8xf32>", error.found, look="the signature")
    if result.shape != (4,):
        return wrong("four sums", f"a result of shape {result.shape}", look="the map of the output")
    if agree(result, x.sum(1)):
        return right("four sums", look="the map of the output leaves the reduced loop out")
    return wrong("the sum of each row", f"{result.tolist()}", look="where the sum starts")
