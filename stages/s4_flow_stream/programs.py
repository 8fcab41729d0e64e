"""Programs of matrix products: numbers say what each product takes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

__all__ = ["CHAIN", "WIDE", "products", "widths"]

_T = "tensor<64x64xf32>"


def products(takes: Sequence[tuple[int, int]], *, inputs: int = 2, name: str = "f") -> str:
    """A function of 64×64 matrices whose k-th product takes two of the values before it.

    Values are counted from the inputs on; what nobody takes is returned.
    """
    taken = {value for pair in takes for value in pair}
    given = [n for n in range(inputs, inputs + len(takes)) if n not in taken]
    lines = [
        f"  %v{inputs + k} = linalg.matmul ins(%v{a}, %v{b} : {_T}, {_T}) "
        f"outs(%init : {_T}) -> {_T}"
        for k, (a, b) in enumerate(takes)
    ]
    return "\n".join(
        [
            f"func.func @{name}({', '.join(f'%v{n}: {_T}' for n in range(inputs))}) -> "
            f"({', '.join([_T] * len(given))}) {{",
            "  %zero = arith.constant 0.0 : f32",
            f"  %empty = tensor.empty() : {_T}",
            f"  %init = linalg.fill ins(%zero : f32) outs(%empty : {_T}) -> {_T}",
            *lines,
            f"  return {', '.join(f'%v{n}' for n in given)} : {', '.join([_T] * len(given))}",
            "}\n",
        ]
    )


CHAIN = products([(0, 1), (2, 1), (3, 1), (4, 1)])
"four products, each of the one before"
WIDE = products([(0, 1), (0, 2), (1, 2), (2, 2), (3, 4), (5, 6), (7, 8)], inputs=3)
"four products that need only inputs, then two, then one"


def widths(sizes: Sequence[int]) -> str:
    """A chain of products whose results in between have these sizes in bytes, multiples of 64."""
    columns = [8, *(size // 64 for size in sizes), 8]
    types = [f"tensor<16x{n}xf32>" for n in columns]
    pairs = list(pairwise(columns))
    weights = [f"tensor<{a}x{b}xf32>" for a, b in pairs]
    arguments = [f"%v0: {types[0]}", *(f"%w{k}: {t}" for k, t in enumerate(weights))]
    lines = [f"func.func @f({', '.join(arguments)}) -> {types[-1]} {{"]
    lines.append("  %zero = arith.constant 0.0 : f32")
    for k, weight in enumerate(weights):
        made = types[k + 1]
        lines += [
            f"  %e{k} = tensor.empty() : {made}",
            f"  %i{k} = linalg.fill ins(%zero : f32) outs(%e{k} : {made}) -> {made}",
            f"  %v{k + 1} = linalg.matmul ins(%v{k}, %w{k} : {types[k]}, {weight}) "
            f"outs(%i{k} : {made}) -> {made}",
        ]
    return "\n".join([*lines, f"  return %v{len(weights)} : {types[-1]}", "}\n"])
