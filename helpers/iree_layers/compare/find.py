"""Where a text or a pattern occurs in a dump: first, last, and in which snapshots."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .predecessor import dump_of

if TYPE_CHECKING:
    from ..dump.dump import Dump
    from ..dump.trace import Trace

__all__ = ["Found", "Hit", "find"]

_MAX_LINES = 40
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Hit:
    """Occurrences in one snapshot."""

    index: int
    "snapshot"
    name: str
    "argument of its pass"
    layer: str
    count: int
    "occurrences"
    line: int
    "1-based number of the line with the first one"
    text: str
    "that line"

    def __str__(self) -> str:
        text = self.text.strip()
        short = text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"
        return f"{self.index} {self.layer} {self.name}: {self.count}, line {self.line}: {short}"

    __repr__ = __str__


@dataclass(frozen=True)
class Found:
    """All snapshots in which something occurs."""

    pattern: str
    hits: tuple[Hit, ...]
    "in the order of the dump"
    searched: int
    "number of snapshots that were looked at"

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def first(self) -> Hit | None:
        """The first snapshot with it."""
        return self.hits[0] if self.hits else None

    @property
    def last(self) -> Hit | None:
        """The last snapshot with it."""
        return self.hits[-1] if self.hits else None

    def __str__(self) -> str:
        head = f"{self.pattern!r}: in {len(self.hits)} of {self.searched} snapshots"
        lines = [head, *map(str, self.hits)]
        if len(lines) > _MAX_LINES:
            rest = len(lines) - _MAX_LINES + 1
            # The last one is what people look for.
            lines = [*lines[: _MAX_LINES - 2], f"… {rest} more snapshots", lines[-1]]
        return "\n".join(lines)

    __repr__ = __str__


def find(source: Dump | Trace, pattern: str | re.Pattern[str]) -> Found:
    r"""Look for a text, or for a compiled regular expression, in all snapshots.

    Args:
        source: a trace or a dump.
        pattern: plain text (`"linalg.matmul"`), or `re.compile(r"vector<\d+xf32>")`.
    """
    dump = dump_of(source)
    known: dict[str, tuple[int, int, str]] = {}
    hits = []
    for snapshot in dump:
        if snapshot.content not in known:
            known[snapshot.content] = _look(dump.text(snapshot), pattern)
        count, line, text = known[snapshot.content]
        if count:
            hits.append(Hit(snapshot.index, snapshot.name, snapshot.layer, count, line, text))
    spelled = pattern if isinstance(pattern, str) else pattern.pattern
    return Found(spelled, tuple(hits), len(dump))


def _look(text: str, pattern: str | re.Pattern[str]) -> tuple[int, int, str]:
    """Number of occurrences, and line number and line of the first."""
    if isinstance(pattern, str):
        at, count = text.find(pattern), text.count(pattern)
    else:
        starts = [match.start() for match in pattern.finditer(text)]
        at, count = (starts[0] if starts else -1), len(starts)
    if at < 0 or not count:
        return 0, 0, ""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return count, text.count("\n", 0, at) + 1, text[start : end if end >= 0 else None]
