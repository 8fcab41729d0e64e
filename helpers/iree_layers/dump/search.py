"""Find the next header line in a large buffer, and the other odd lines on the way.

IR indents: the lines of a body that start at column 0 are few. A newline with a byte above `%`
after it marks them, numpy tells all of a block at 8 GB/s, and among them are the header lines and
whatever may be a compiler's message. (`grep` searches at 3 GB/s, `mmap.find` of the header's first
twenty bytes at 2.8, `re` with `^` at 0.2; measured on 2 cores with AVX-512.)
"""

from __future__ import annotations

import mmap

import numpy as np

from .header import PREFIX
from .source import View

__all__ = ["NEEDLE", "Search"]

NEEDLE = b"\n" + PREFIX
"A header line with the newline before it."

_BLOCK = 1 << 16
"Bytes looked at at a time: temporary arrays above 128 KiB cost page faults, six times the time."

_STEP = 32 << 20
"Bytes of a mapping after which the pages behind are given back: they would count as our memory."

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
        self._marks = b""
        self._start = 0
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
        if self._start <= start:
            found = self._marks.find(1, start - self._start)
            if found >= 0:
                return self._start + found
            start = max(start, min(self._start + len(self._marks), self.size))
        while start < self.size - 1:
            self.passed(start)
            block = self._bytes[start : start + _BLOCK + 1]
            self._start = start
            self._marks = ((block[:-1] == 10) & (block[1:] > _PERCENT)).tobytes()
            found = self._marks.find(1)
            if found >= 0:
                return start + found
            start += _BLOCK
        return -1

    def passed(self, position: int) -> None:
        """Let the kernel drop the mapped pages before `position`, now and then."""
        if position - self._released < _STEP or not isinstance(self._data, mmap.mmap):
            return
        position -= position % mmap.PAGESIZE
        if hasattr(mmap, "MADV_DONTNEED"):
            self._data.madvise(mmap.MADV_DONTNEED, self._released, position - self._released)
        self._released = position
