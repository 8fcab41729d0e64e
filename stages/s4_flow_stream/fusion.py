"""Small programs that differ in one thing, to ask why two ops are fused or not."""

from __future__ import annotations

from functools import cache

from iree_layers.compare.graph import Graph, graph
from iree_layers.compile import Target, build, program
from iree_layers.compile.printing import ELIDE
from iree_layers.dump import Trace, trace

__all__ = ["VARIANTS", "launches", "table", "traced"]

_M, _V = "tensor<64x64xf32>", "tensor<64xf32>"
_HEAD = f"""  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : {_M}
  %v = tensor.empty() : {_V}
  %m0 = linalg.fill ins(%zero : f32) outs(%m : {_M}) -> {_M}
  %v0 = linalg.fill ins(%zero : f32) outs(%v : {_V}) -> {_V}
"""
_PRODUCT = f"  %p = linalg.matmul ins(%a, %b : {_M}, {_M}) outs(%m0 : {_M}) -> {_M}\n"
_SUM = (
    "  %{to} = linalg.reduce {{ arith.addf }} "
    f"ins(%{{of}} : {_M}) outs(%v0 : {_V}) dimensions = [{{dim}}]\n"
)
_TURN = f"  %t = linalg.transpose ins(%{{of}} : {_M}) outs(%m : {_M}) permutation = [1, 0]\n"


def _function(body: str, returns: str, types: str) -> str:
    head = f"func.func @f(%a: {_M}, %b: {_M}, %c: {_M}) -> ({types}) {{\n{_HEAD}"
    return f"{head}{body}  return {returns} : {types}\n}}\n"


VARIANTS = {
    "product, sum": _function(f"{_PRODUCT}  %y = arith.addf %p, %c : {_M}\n", "%y", _M),
    "product, sum, both returned": _function(
        f"{_PRODUCT}  %y = arith.addf %p, %c : {_M}\n", "%p, %y", f"{_M}, {_M}"
    ),
    "sum, product": _function(
        f"  %y = arith.addf %a, %c : {_M}\n"
        f"  %p = linalg.matmul ins(%y, %b : {_M}, {_M}) outs(%m0 : {_M}) -> {_M}\n",
        "%p",
        _M,
    ),
    "product, product": _function(
        f"{_PRODUCT}  %q = linalg.matmul ins(%p, %c : {_M}, {_M}) outs(%m0 : {_M}) -> {_M}\n",
        "%q",
        _M,
    ),
    "product, transpose": _function(_PRODUCT + _TURN.format(of="p"), "%t", _M),
    "transpose, product": _function(
        _TURN.format(of="a")
        + f"  %p = linalg.matmul ins(%t, %b : {_M}, {_M}) outs(%m0 : {_M}) -> {_M}\n",
        "%p",
        _M,
    ),
    "product, row sums": _function(_PRODUCT + _SUM.format(to="s", of="p", dim=1), "%s", _V),
    "row sums, divide": _function(
        _SUM.format(to="s", of="a", dim=1)
        + f"  %w = linalg.broadcast ins(%s : {_V}) outs(%m : {_M}) dimensions = [1]\n"
        + f"  %q = arith.divf %a, %w : {_M}\n",
        "%q",
        _M,
    ),
    "row sums, column sums": _function(
        _SUM.format(to="s", of="a", dim=1) + _SUM.format(to="u", of="a", dim=0),
        "%s, %u",
        f"{_V}, {_V}",
    ),
    "product, half of it, double": _function(
        f"{_PRODUCT}  %h = tensor.extract_slice %p[0, 0] [32, 64] [1, 1] : {_M} to"
        " tensor<32x64xf32>\n  %d = arith.addf %h, %h : tensor<32x64xf32>\n",
        "%d",
        "tensor<32x64xf32>",
    ),
    "one input, two products": _function(
        f"{_PRODUCT}  %q = linalg.matmul ins(%a, %c : {_M}, {_M}) outs(%m0 : {_M}) -> {_M}\n"
        f"  %y = arith.addf %p, %q : {_M}\n",
        "%y",
        _M,
    ),
}


@cache
def launches(source: object, *flags: str) -> Graph:
    """The dispatch graph of a variant (by name) or any program, compiled with some flags."""
    text = VARIANTS.get(source, source) if isinstance(source, str) else source
    made = build(program(text), Target.TEXT, compile_to="flow", flags=(*ELIDE, *flags))
    return graph(made.vmfb.read_text(encoding="utf-8"))


@cache
def traced(source: str, *flags: str) -> Trace:
    """All passes over a variant, up to machine code."""
    found = program(VARIANTS.get(source, source), name="f")
    return trace(found, Target.TEXT.with_flags(*flags), files=False)


def table(flags: dict[str, str]) -> str:
    """How many dispatches each variant needs, by default and with one flag each."""
    rows = [f"{'':28}{'default':>9}" + "".join(f"{name:>12}" for name in flags)]
    for name in VARIANTS:
        counts = [len(launches(name).dispatches)]
        counts += [len(launches(name, flag).dispatches) for flag in flags.values()]
        rows.append(f"{name:28}{counts[0]:>9}" + "".join(f"{n:>12}" for n in counts[1:]))
    return "\n".join(rows)
