"""The verdict of `agree()`: a value, and its text.

The line of a good verdict does not depend on the machine: it names the shape, the dtype and the
tolerance, not the errors; those are in `.detail`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Agreement", "results_text"]


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


def _parts_line(parts: tuple[Agreement, ...]) -> str:
    bad = [(place, one) for place, one in enumerate(parts) if not one.ok]
    if bad:
        place, one = bad[0]
        rest = f"; and {len(bad) - 1} more of {len(parts)} results" if len(bad) > 1 else ""
        return f"differ: result {place}: {str(one).removeprefix('differ: ')}{rest}"
    each = ", ".join(f"{one.what} {one.within}" for one in parts)
    return f"agree: {results_text(len(parts))}{': ' if each else ''}{each}"


def results_text(number: int) -> str:
    """`1 result`, `2 results`."""
    return f"{number} result{'' if number == 1 else 's'}"


def _number(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)
