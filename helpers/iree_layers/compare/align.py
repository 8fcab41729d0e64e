"""Minimal alignment of two sequences of integers: a longest common subsequence, always exact.

IR lines whose value names are blanked repeat a lot, which is where difflib, patience and the
heuristics of git give wrong or endless answers. Here, in this order:

1. what is equal at both ends is taken off; what occurs on one side only is left out (such an
   element cannot be part of any common subsequence);
2. what is left is aligned by the bit-parallel algorithm of rapidfuzz while its matrix is small;
3. larger ones are aligned window by window, which is nearly always minimal; one pass that only
   computes the length within a band proves that no longer subsequence exists;
4. where the proof fails, the problem is divided exactly (Hirschberg) until step 2 fits.

rapidfuzz is given strings, one character per integer: it converts those without Python objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    import numpy.typing as npt

    Ids = npt.NDArray[np.int32]

__all__ = ["align"]

DIRECT = 4096 * 4096
"largest bit matrix that is used at once: 2 MiB, which stays in the cache"
DIRECT_LIMIT = 2**29
"largest one that the exact division ends in: 64 MiB"
WINDOWS = (4096, 16384)
"window sizes that are tried before the exact division"

Block = tuple[int, int, int]


def align(a: Ids, b: Ids) -> list[Block]:
    """Blocks (start in a, start in b, length) of a longest common subsequence, in order.

    Neighbouring blocks are merged, so between two blocks there is at least one element that
    only one side has. Values must be small and not negative (an interning): arrays of the
    engine are as long as the largest.
    """
    head = _prefix(a, b)
    tail = _prefix(a[head:][::-1], b[head:][::-1])
    a_end, b_end = len(a) - tail, len(b) - tail
    blocks = [(0, 0, head)]
    blocks += [(i + head, j + head, n) for i, j, n in _reduced(a[head:a_end], b[head:b_end])]
    blocks.append((a_end, b_end, tail))
    return _merged(blocks)


def _prefix(a: Ids, b: Ids) -> int:
    """Length of the common prefix, without comparing far more than that."""
    total = min(len(a), len(b))
    start, step = 0, 256
    while start < total:
        end = min(total, start + step)
        unequal = a[start:end] != b[start:end]
        first = int(unequal.argmax())
        if unequal[first]:
            return start + first
        start, step = end, step * 4
    return total


def _reduced(a: Ids, b: Ids) -> list[Block]:
    """Blocks after leaving out what only one side has."""
    if not len(a) or not len(b):
        return []
    size = int(max(a.max(), b.max())) + 1
    in_b = np.bincount(b, minlength=size)[a] > 0
    in_a = np.bincount(a, minlength=size)[b] > 0
    if in_a.all() and in_b.all():
        return _core(a, b)
    a_at, b_at = np.flatnonzero(in_b), np.flatnonzero(in_a)
    blocks = align(a[a_at], b[b_at])
    return _spread(blocks, a_at, b_at) if blocks else []


def _spread(
    blocks: list[Block], a_at: npt.NDArray[np.intp], b_at: npt.NDArray[np.intp]
) -> list[Block]:
    """The same blocks at the places their elements had before others were left out."""
    i, j, n = np.array(blocks).T
    within = np.arange(int(n.sum())) - np.repeat(np.cumsum(n) - n, n)
    a_run, b_run = a_at[np.repeat(i, n) + within], b_at[np.repeat(j, n) + within]
    breaks = np.flatnonzero((np.diff(a_run) != 1) | (np.diff(b_run) != 1)) + 1
    starts = np.concatenate(([0], breaks))
    sizes = np.diff(np.concatenate((starts, [len(within)])))
    return list(zip(a_run[starts].tolist(), b_run[starts].tolist(), sizes.tolist(), strict=True))


def _core(a: Ids, b: Ids) -> list[Block]:
    if len(a) * len(b) <= DIRECT:
        return _direct(a, b)
    left, right = _characters(a), _characters(b)
    longest = None
    for window in WINDOWS:
        blocks = _windowed(a, b, window)
        length = sum(n for _, _, n in blocks)
        if longest is None:
            # 0: there is none longer. Otherwise the length of the longest.
            longest = LCSseq.similarity(left, right, score_cutoff=length + 1) or length
        if length == longest:
            return blocks
    return _divided(a, b)


def _characters(ids: Ids) -> str | list[int]:
    if len(ids) and ids.max() >= 0x110000 - 0x800:
        return list(map(int, ids))  # more different lines than characters
    codes = ids.astype("<u4")
    codes[codes >= 0xD800] += 0x800  # no surrogates
    return codes.tobytes().decode("utf-32-le")


def _direct(a: Ids, b: Ids) -> list[Block]:
    if not len(a) or not len(b):
        return []
    edits = LCSseq.editops(_characters(a), _characters(b))
    return [(block.a, block.b, block.size) for block in edits.as_matching_blocks() if block.size]


def _windowed(a: Ids, b: Ids, window: int) -> list[Block]:
    """Align the next `window` elements, keep the first half, go on from there."""
    half = window // 2
    blocks: list[Block] = []
    i = j = 0
    while True:
        run = _prefix(a[i:], b[j:])
        if run:
            blocks.append((i, j, run))
            i, j = i + run, j + run
        found = _direct(a[i : i + window], b[j : j + window])
        if i + window >= len(a) and j + window >= len(b):
            return blocks + [(i + x, j + y, n) for x, y, n in found]
        kept = [
            (x, y, min(n, max(half - x, half - y))) for x, y, n in found if x < half and y < half
        ]
        blocks += [(i + x, j + y, n) for x, y, n in kept]
        x, y, n = kept[-1] if kept else (half, half, 0)
        i, j = min(i + x + n, len(a)), min(j + y + n, len(b))


def _divided(a: Ids, b: Ids) -> list[Block]:
    """Exact in any case, with little memory: halve `a`, find where `b` must be cut."""
    if len(a) < 2 or len(a) * len(b) <= DIRECT_LIMIT:
        return _direct(a, b)
    middle = len(a) // 2
    lengths = _lengths(a[:middle], b) + _lengths(a[middle:][::-1], b[::-1])[::-1]
    cut = int(lengths.argmax())
    right = _divided(a[middle:], b[cut:])
    return _divided(a[:middle], b[:cut]) + [(i + middle, j + cut, n) for i, j, n in right]


def _lengths(a: Ids, b: Ids) -> npt.NDArray[np.int64]:
    """Length of the longest common subsequence of `a` with every prefix of `b`.

    Hyyrö's bit-vector recurrence on Python's long integers: a row of the table per element.
    """
    matches: dict[int, int] = {}
    for place, value in enumerate(b.tolist()):
        matches[value] = matches.get(value, 0) | (1 << place)
    full = (1 << len(b)) - 1
    row = full
    for value in a.tolist():
        match = row & matches.get(value, 0)
        row = ((row + match) | (row - match)) & full
    packed = np.frombuffer(row.to_bytes(len(b) // 8 + 1, "little"), np.uint8)
    zeros = 1 - np.unpackbits(packed, bitorder="little")[: len(b)].astype(np.int64)
    return np.concatenate(([0], np.cumsum(zeros)))


def _merged(blocks: list[Block]) -> list[Block]:
    merged: list[Block] = []
    for i, j, n in blocks:
        if not n:
            continue
        if merged and (merged[-1][0] + merged[-1][2], merged[-1][1] + merged[-1][2]) == (i, j):
            x, y, size = merged[-1]
            merged[-1] = (x, y, size + n)
        else:
            merged.append((i, j, n))
    return merged
