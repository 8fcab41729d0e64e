"""`linalg.generic`, executed as its definition says: one loop nest, three lists.

For every point of the iteration space: load from each operand where its map points, run the
payload, store what it yields where the map of the output points.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from iree.compiler import ir
from numpy.typing import NDArray

__all__ = ["evaluate", "run_generic"]

PAYLOAD: dict[str, Callable[..., Any]] = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.maximumf": max,
}


def evaluate(map: ir.AffineMap, point: tuple[int, ...]) -> tuple[int, ...]:
    """Where a map sends a point of the iteration space."""
    return tuple(_expression(result, point) for result in map.results)


def _expression(e: ir.AffineExpr, point: tuple[int, ...]) -> int:
    if isinstance(e, ir.AffineDimExpr):
        return point[e.position]
    if isinstance(e, ir.AffineConstantExpr):
        return int(e.value)
    if isinstance(e, ir.AffineAddExpr):
        return _expression(e.lhs, point) + _expression(e.rhs, point)
    if isinstance(e, ir.AffineMulExpr):
        return _expression(e.lhs, point) * _expression(e.rhs, point)
    raise ValueError(f"{e} is no sum of products")


def run_generic(op: ir.Operation, *arrays: NDArray[Any]) -> NDArray[Any]:
    """The result of a `linalg.generic` with one output, for arrays of all its operands.

    Raises:
        ValueError: the payload has an op that is not in `PAYLOAD`.
    """
    maps = [ir.AffineMapAttr(a).value for a in ir.ArrayAttr(op.attributes["indexing_maps"])]
    sizes: dict[int, int] = {}
    for map, array in zip(maps, arrays, strict=True):
        for result, size in zip(map.results, array.shape, strict=True):
            if isinstance(result, ir.AffineDimExpr):
                sizes[result.position] = size
    out = arrays[-1].copy()
    for point in itertools.product(*(range(sizes[d]) for d in sorted(sizes))):
        places = [evaluate(map, point) for map in maps]
        loaded = [a[at] for a, at in zip((*arrays[:-1], out), places, strict=True)]
        out[places[-1]] = _payload(op.regions[0].blocks[0], loaded)
    return out


def _payload(block: ir.Block, arguments: list[Any]) -> Any:
    known: dict[ir.Value, Any] = dict(zip(block.arguments, arguments, strict=True))
    for inner in block:
        values = [known[operand] for operand in inner.operation.operands if operand in known]
        if inner.operation.name == "linalg.yield":
            return values[0]
        if inner.operation.name not in PAYLOAD:
            raise ValueError(f"the payload has {inner.operation.name}")
        known[inner.operation.results[0]] = PAYLOAD[inner.operation.name](*values)
    raise ValueError("the payload yields nothing")
