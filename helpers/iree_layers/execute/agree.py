"""Do two results agree? A verdict, the largest errors, and the first place that differs.

In: arrays, tensors, numbers, or tuples of them; `b` is the reference. Out: an `Agreement`, which is
true or false, and whose text is one line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .agreement import Agreement, results_text
from .array import dtype_name, to_numpy

__all__ = ["agree", "tolerance"]

RTOL, ATOL = 1e-5, 1e-6
"for f32 and wider"

# Elements compared at once: they stay in the cache, and two arrays of a gigabyte need no third.
_BLOCK = 1 << 16

Array = np.ndarray[Any, Any]


def agree(
    a: object,
    b: object,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
) -> Agreement:
    """Compare a result with a reference.

    A place agrees if |a - b| ≤ atol + rtol · |b|, or both are the same infinity, or both are NaN.
    Integers and bools must be equal. Another shape, dtype or number of results is a verdict too.

    Args:
        a: an array, tensor or number; or a tuple or list of them, as `run()` returns several.
        b: the reference.
        rtol: relative tolerance; by default 1e-5 for f32 and wider, 4 steps of f16 and bf16,
            1 step of 8-bit floats.
        atol: absolute tolerance; by default 1e-6 for f32 and wider, 1 step of the dtype below.
        equal_nan: NaN agrees with NaN.

    Raises:
        RunError: one of them holds no numbers.
    """
    if isinstance(a, (tuple, list)) or isinstance(b, (tuple, list)):
        left = list(a) if isinstance(a, (tuple, list)) else [a]
        right = list(b) if isinstance(b, (tuple, list)) else [b]
        if len(left) != len(right):
            why = f"{results_text(len(left))} against {results_text(len(right))}"
            return _incomparable(why, (), "", rtol or 0.0, atol or 0.0)
        pairs = zip(left, right, strict=True)
        parts = [agree(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan) for x, y in pairs]
        return parts[0] if len(parts) == 1 else _joined(tuple(parts))
    return _agree(to_numpy(a, "the first"), to_numpy(b, "the second"), rtol, atol, equal_nan)


def tolerance(dtype: np.dtype[Any]) -> tuple[float, float]:
    """Default (rtol, atol) of a dtype: one step of f16 is 0.001, of bf16 0.008, of f8 ≥ 0.06."""
    if dtype.kind in "biu":
        return 0.0, 0.0
    if dtype.kind in "fc" and dtype.itemsize >= 4:
        return RTOL, ATOL
    step = _step(dtype)
    # 16 bits leave room for another order of a sum, 8 bits for nothing but the last rounding.
    return (4 * step if dtype.itemsize == 2 else step), step


def _step(dtype: np.dtype[Any]) -> float:
    if dtype.name == "float16":
        return float(np.finfo(np.float16).eps)
    import ml_dtypes

    finfo: Any = ml_dtypes.finfo
    return float(finfo(dtype).eps)


def _agree(
    a: Array, b: Array, rtol: float | None, atol: float | None, equal_nan: bool
) -> Agreement:
    usual = tolerance(a.dtype)
    exact = a.dtype.kind in "biu"
    rtol = usual[0] if rtol is None or exact else rtol
    atol = usual[1] if atol is None or exact else atol
    name = dtype_name(a.dtype)
    if a.shape != b.shape:
        why = f"shape {_shape(a)} against {_shape(b)}"
        return _incomparable(why, a.shape, name, rtol, atol)
    if a.dtype != b.dtype:
        why = f"dtype {name} against {dtype_name(b.dtype)}"
        return _incomparable(why, a.shape, name, rtol, atol)
    max_abs = max_rel = 0.0
    differ, first = 0, None
    flat_a, flat_b = a.reshape(-1), b.reshape(-1)
    for start in range(0, a.size, _BLOCK):
        x, y = flat_a[start : start + _BLOCK], flat_b[start : start + _BLOCK]
        error, relative, bad = _errors(x, y, rtol, atol, equal_nan)
        max_abs, max_rel = max(max_abs, error), max(max_rel, relative)
        places = np.flatnonzero(bad)
        if places.size and first is None:
            first = start + int(places[0])
        differ += int(places.size)
    index = None if first is None else tuple(int(i) for i in np.unravel_index(first, a.shape))
    values = None if first is None else (flat_a[first].item(), flat_b[first].item())
    return Agreement(
        ok=differ == 0,
        max_abs=max_abs,
        max_rel=max_rel,
        first=index,
        values=values,
        n_differ=differ,
        size=a.size,
        shape=a.shape,
        dtype=name,
        rtol=rtol,
        atol=atol,
    )


def _errors(
    x: Array, y: Array, rtol: float, atol: float, equal_nan: bool
) -> tuple[float, float, np.ndarray[Any, np.dtype[np.bool_]]]:
    """Largest absolute and relative error of a block, and where it is too large."""
    if x.dtype.kind in "biu":
        return _integer_errors(x, y)
    wide = np.complex128 if x.dtype.kind == "c" else np.float64
    x, y = x.astype(wide), y.astype(wide)
    same = x == y
    if equal_nan:
        same |= np.isnan(x) & np.isnan(y)
    if same.all():
        return 0.0, 0.0, ~same
    with np.errstate(all="ignore"):
        gap = np.where(same, 0.0, np.abs(x - y))
        # inf against a number, inf against -inf, NaN against anything: as far apart as can be
        gap[np.isnan(gap)] = np.inf
        size = np.abs(y)
        allowed = atol + rtol * np.where(np.isfinite(size), size, 0.0)
        ratio = np.where(size > 0, gap / np.where(np.isfinite(size), size, 1.0), 0.0)
    # A NaN in only one of them is found by `gap`; `allowed` must not be NaN for that.
    bad = ~same & ~(gap <= allowed)
    return float(gap.max()), float(ratio.max()), bad


def _integer_errors(x: Array, y: Array) -> tuple[float, float, np.ndarray[Any, np.dtype[np.bool_]]]:
    bad = np.asarray(x != y)
    if not bad.any():
        return 0.0, 0.0, bad
    if x.dtype.kind == "b":
        return 1.0, float((bad & y).any()), bad
    # Modulo 2^64 the larger minus the smaller is right even where int64 would overflow.
    high, low = np.maximum(x, y).astype(np.uint64), np.minimum(x, y).astype(np.uint64)
    gap = (high - low).astype(np.float64)
    size = np.abs(y.astype(np.float64))
    ratio = np.divide(gap, size, out=np.zeros_like(gap), where=size > 0)
    return float(gap.max()), float(ratio.max()), bad


def _joined(parts: tuple[Agreement, ...]) -> Agreement:
    worst = next((one for one in parts if not one.ok), None)
    return Agreement(
        ok=worst is None,
        max_abs=max((one.max_abs for one in parts), default=0.0),
        max_rel=max((one.max_rel for one in parts), default=0.0),
        first=worst.first if worst else None,
        values=worst.values if worst else None,
        n_differ=sum(one.n_differ for one in parts),
        size=sum(one.size for one in parts),
        shape=worst.shape if worst else (),
        dtype=worst.dtype if worst else "",
        rtol=max((one.rtol for one in parts), default=0.0),
        atol=max((one.atol for one in parts), default=0.0),
        parts=parts,
    )


def _incomparable(
    why: str, shape: tuple[int, ...], dtype: str, rtol: float, atol: float
) -> Agreement:
    return Agreement(False, 0.0, 0.0, None, None, 0, 0, shape, dtype, rtol, atol, why)


def _shape(array: Array) -> str:
    return "x".join(map(str, array.shape)) or "scalar"
