"""Do two results agree? A verdict, the largest errors, and the first place that differs.

In: arrays, tensors, numbers, or tuples of them; `b` is the reference. Out: an `Agreement`, which is
true or false, whose text is one line. The line of a verdict that is good does not depend on the
machine: it names the shape, the dtype and the tolerance, not the errors; those are in `.detail`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .array import dtype_name, to_numpy

__all__ = ["Agreement", "agree", "tolerance"]

RTOL, ATOL = 1e-5, 1e-6
"for f32 and wider"

# Elements compared at once, so that two arrays of a gigabyte need no third one in f64.
_BLOCK = 1 << 20

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, repr=False)
class Agreement:
    """The verdict on two results."""

    ok: bool
    max_abs: float
    "largest |a - b|; inf where only one of the two is finite, 0.0 if nothing was compared"
    max_rel: float
    "largest |a - b| / |b|, over places where b is not 0"
    first: tuple[int, ...] | None
    "index of the first place that differs by more than the tolerance, None if there is none"
    values: tuple[Any, Any] | None
    "the two values there"
    n_differ: int
    "number of places that differ by more than the tolerance"
    size: int
    "number of places compared"
    shape: tuple[int, ...]
    "of `a`"
    dtype: str
    "of `a`, by MLIR's name: `f32`, `i1`"
    rtol: float
    atol: float
    why: str = ""
    "why nothing could be compared: another shape, dtype, or number of results"
    parts: tuple[Agreement, ...] = ()
    "one verdict for each result, if several were compared"

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if self.why:
            return f"differ: {self.why}"
        if not self.dtype or self.parts:
            return _parts_line(self.parts)
        if self.ok:
            return f"agree: {self.what}, {self.within}"
        share = f"{self.n_differ} of {self.size} values"
        return f"differ: {self.what}, {share} not {self.within}; {self._where}; {self._errors}"

    __repr__ = __str__

    @property
    def what(self) -> str:
        """Shape and dtype: `4x16 f32`, `scalar f32`."""
        return f"{'x'.join(map(str, self.shape)) or 'scalar'} {self.dtype}"

    @property
    def within(self) -> str:
        """The tolerance in words."""
        exact = self.rtol == 0 and self.atol == 0
        return "equal" if exact else f"within rtol {self.rtol:g} atol {self.atol:g}"

    @property
    def detail(self) -> str:
        """The verdict with the numbers, several lines; differs from machine to machine."""
        if self.parts:
            rows = [f"result {place}: {one.detail}" for place, one in enumerate(self.parts)]
            return "\n".join([str(self), *rows])
        return str(self) if self.why or not self.ok else f"{self}\n  {self._errors}"

    @property
    def _where(self) -> str:
        if self.first is None or self.values is None:
            return "nowhere"
        place = f"first at {list(self.first)}: " if self.first else ""
        return f"{place}{_number(self.values[0])} against {_number(self.values[1])}"

    @property
    def _errors(self) -> str:
        return f"max abs {self.max_abs:.3g}, max rel {self.max_rel:.3g}"


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
        rtol: relative tolerance; by default 1e-5 for f32 and wider, 4 steps of the dtype below.
        atol: absolute tolerance; by default 1e-6 for f32 and wider, 1 step of the dtype below.
        equal_nan: NaN agrees with NaN.

    Raises:
        RunError: one of them holds no numbers.
    """
    if isinstance(a, (tuple, list)) or isinstance(b, (tuple, list)):
        left = list(a) if isinstance(a, (tuple, list)) else [a]
        right = list(b) if isinstance(b, (tuple, list)) else [b]
        if len(left) != len(right):
            why = f"{_results(len(left))} against {_results(len(right))}"
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
    return 4 * step, step


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
    # float64 of this machine is wide enough for every dtype but itself
    x, y = x.astype(wide), y.astype(wide)
    same = x == y
    if equal_nan:
        same |= np.isnan(x) & np.isnan(y)
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


def _parts_line(parts: tuple[Agreement, ...]) -> str:
    bad = [(place, one) for place, one in enumerate(parts) if not one.ok]
    if bad:
        place, one = bad[0]
        rest = f"; and {len(bad) - 1} more of {len(parts)} results" if len(bad) > 1 else ""
        return f"differ: result {place}: {str(one).removeprefix('differ: ')}{rest}"
    each = ", ".join(f"{one.what} {one.within}" for one in parts)
    return f"agree: {_results(len(parts))}{': ' if each else ''}{each}"


def _results(number: int) -> str:
    return f"{number} result{'' if number == 1 else 's'}"


def _shape(array: Array) -> str:
    return "x".join(map(str, array.shape)) or "scalar"


def _number(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)
