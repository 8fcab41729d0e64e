"""Find the next header line in a large buffer, and the other odd lines on the way.

IR indents: the lines of a body that start at column 0 are few. A newline with a byte above `%`
after it marks them, numpy tells all of a block at 7 GB/s, and among them are the header lines and
whatever may be a compiler's message. (`grep` searches at 3 GB/s, `mmap.find` of the header's first
twenty bytes at 2.8, `re` with `^` at 0.2; measured on 2 cores with AVX-512.)
"""

from __future__ import annotations

import mmap

import numpy as np

from .header import PREFIX
from .source import View

__all__ = ["NEEDLE", "STEP", "Search"]

NEEDLE = b"\n" + PREFIX
"A header line with the newline before it."

_BLOCK = 1 << 17
"Bytes looked at at a time: as many as stay in the processor's cache with the marks."

STEP = 32 << 20
"Bytes of a mapping after which the pages behind are given back: they would count as our memory."

_NEWLINE = ord("\n")

_PERCENT = ord("%")
'Up to here: blanks, line ends, escapes, `!alias`, `"op"`, `#alias`, `%value`.'

_BRACE = ord("}")
"The end of the root op: the one line at column 0 that every body has."


class Search:
    """Lines at column 0 of one buffer. Positions asked for should grow: a block is kept."""

    def __init__(self, data: View) -> None:
        self.size = len(data)
        self._data = data
        self._bytes = np.frombuffer(data, np.uint8) if self.size else np.empty(0, np.uint8)
        room = max(0, min(_BLOCK, self.size - 1))
        self._marks = bytearray(room)
        self._newline = np.frombuffer(self._marks, np.bool_)
        self._column = np.empty(room, np.bool_)
        self._start = self._end = 0
        self._released = 0

    def header(self, start: int) -> tuple[int, list[int]]:
        """Offset of the first header line whose newline is at or after `start`, or the size.

        Also the offsets of lines before it that are neither indented nor certainly IR.
        """
        data = self._data
        odd: list[int] = []
        while True:
            newline = self._mark(start)
            if newline < 0:
                return self.size, odd
            if data[newline : newline + len(NEEDLE)] == NEEDLE:
                return newline + 1, odd
            if data[newline + 1] != _BRACE:
                odd.append(newline + 1)
            start = newline + 1

    def _mark(self, start: int) -> int:
        """Offset of the first newline at or after `start` with a line at column 0, or -1."""
        if not self._start <= start < self._end:
            self._look(start)
        while self._start < self._end:
            first = max(start - self._start, 0)
            found = self._marks.find(1, first, self._end - self._start)
            if found >= 0:
                return self._start + found
            self._look(self._end)
        return -1

    def _look(self, start: int) -> None:
        """Mark the newlines of the block at `start`; it is empty at the end of the data."""
        self.passed(start)
        self._start = start
        self._end = end = max(start, min(start + _BLOCK, self.size - 1))
        newline, column = self._newline[: end - start], self._column[: end - start]
        np.equal(self._bytes[start:end], _NEWLINE, newline)
        np.greater(self._bytes[start + 1 : end + 1], _PERCENT, column)
        np.logical_and(newline, column, newline)

    def passed(self, position: int) -> None:
        """Let the kernel drop the mapped pages before `position`, now and then."""
        if position - self._released < STEP or not isinstance(self._data, mmap.mmap):
            return
        position -= position % mmap.PAGESIZE
        if hasattr(mmap, "MADV_DONTNEED"):
            self._data.madvise(mmap.MADV_DONTNEED, self._released, position - self._released)
        self._released = position
