"""Which words of two lines differ, and where to look when the lines are long."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from .text import cut, visible

__all__ = ["Ranges", "aimed", "differing"]

Ranges = tuple[tuple[int, int], ...]
"half-open ranges of characters"

# linalg.matmul · %arg0 · #map1 · 4x16xf32 · one sign
_WORD = re.compile(r"[%#!@^]?[\w$.-]+|\s+|.", re.DOTALL)

_ALIKE = 0.45
"share of equal words below which two lines have nothing to do with each other"


def aimed(left: str, right: str, columns: int) -> tuple[str, str]:
    """Two lines cut to `columns` such that the first difference is in sight.

    A line is cut at its end as usual; if that would hide the place, its beginning goes too.
    """
    first = _common(left, right)
    if max(len(left), len(right)) <= columns or first < columns * 2 // 3:
        return cut(left, columns), cut(right, columns)
    start = first - columns // 3
    head = f"… {start:,} equal … "
    return (
        head + cut(left[start:], columns - len(head)),
        head + cut(right[start:], columns - len(head)),
    )


def _common(left: str, right: str) -> int:
    """Number of equal characters at the start, without a step for each of five million."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left.startswith(right[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def differing(left: str, right: str) -> tuple[Ranges, Ranges]:
    """Ranges of the words that only one of two visible lines has.

    Nothing, if the lines are not alike: then all of both differs, and marks would be in the way.
    """
    a, b = _WORD.findall(visible(left)), _WORD.findall(visible(right))
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return (), ()
    starts_a, starts_b = _starts(a), _starts(b)
    marks_a: list[tuple[int, int]] = []
    marks_b: list[tuple[int, int]] = []
    for op, i, i_end, j, j_end in matcher.get_opcodes():
        if op == "equal":
            continue
        marks_a.append((starts_a[i], starts_a[i_end]))
        marks_b.append((starts_b[j], starts_b[j_end]))
    return _solid(marks_a), _solid(marks_b)


def _starts(words: list[str]) -> list[int]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return starts


def _solid(marks: list[tuple[int, int]]) -> Ranges:
    """Without empty ranges, and those with one character between them as one."""
    solid: list[tuple[int, int]] = []
    for start, end in marks:
        if start == end:
            continue
        if solid and start - solid[-1][1] <= 1:
            solid[-1] = (solid[-1][0], end)
        else:
            solid.append((start, end))
    return tuple(solid)
