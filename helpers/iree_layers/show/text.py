"""Plain text that is safe to show: hostile characters made visible, lines cut, columns aligned.

IR holds names and strings that somebody else wrote, and lines of megabytes. Whatever it is, what
comes out of here has no character that moves a cursor, reverses a line or cannot be encoded, and
it says how much it left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

__all__ = ["COLUMNS", "LINES", "count", "cut", "fit", "pad", "table", "visible", "width"]

LINES = 40
"lines of plain text that a view may have"
COLUMNS = 150
"columns of each"

# Controls but the tab; direction marks and overrides; zero-width and other invisible characters;
# line and paragraph separators; halves of surrogate pairs, which have no encoding.
_HOSTILE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""One line of text with nothing hidden in it: `\x1b` becomes `␛`, U+202E `⟨U+202E⟩`.

    Tabs become four blanks.
    """
    if text.isascii() and text.isprintable():
        return text
    return _HOSTILE.sub(_picture, text).replace("\t", "    ")


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def width(text: str) -> int:
    """Columns that a line takes in a terminal: Chinese takes two each, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def cut(line: str, columns: int = COLUMNS, *, say: bool = True) -> str:
    """The line made visible, and shortened if it is wider than `columns`.

    Args:
        line: one line, of any length: only its beginning is looked at.
        columns: what the result may take.
        say: end in `… 1,234 more` (characters of the line as it was) and not in `…` alone.
    """
    # Marks take no column, but 200 of them on one letter are no honest text.
    head = line[: columns + 200]
    start = visible(head)
    if len(line) == len(head) and width(start) <= columns:
        return start
    room = columns - (width(f"… {len(line):,} more") if say else 1)
    kept = _first(head, room)
    return visible(head[:kept]) + (f"… {len(line) - kept:,} more" if say else "…")


def _first(text: str, columns: int) -> int:
    """How many characters of the text fit, made visible."""
    if text.isascii() and text.isprintable():
        return min(len(text), max(columns, 0))
    taken = 0
    for k, c in enumerate(text):
        taken += width(visible(c))
        if taken > columns:
            return k
    return len(text)


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """The text with blanks up to `columns`; on its left if `right`."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def fit(lines: Iterable[str], limit: int = LINES, columns: int = COLUMNS) -> list[str]:
    """At most `limit` lines of at most `columns`; the last one says how many are missing."""
    every = [cut(line, columns) for line in lines]
    if len(every) <= limit:
        return every
    return [*every[: limit - 1], f"… {count(len(every) - limit + 1, 'more line')}"]


def count(number: int, noun: str) -> str:
    """`1 pass`, `2 passes`, `3,120 lines`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}{'es' if noun.endswith(('s', 'ch', 'x')) else 's'}"


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    align: str,
    limits: Sequence[int] | None = None,
    limit: int = LINES,
    noun: str = "row",
) -> list[str]:
    """Rows as aligned lines under a ruled head.

    Args:
        head: titles of the columns.
        rows: cells; longer ones than `limits` allows are cut.
        align: a letter for each column, `l` or `r`.
        limits: columns that each may take; default: as much as it needs.
        limit: lines that the table may have; one says what is missing.
        noun: what a row is, for that line.
    """
    limits = limits or [COLUMNS] * len(head)
    cells = [
        [cut(cell, most, say=False) for cell, most in zip(row, limits, strict=True)] for row in rows
    ]
    room = limit - 2
    shown = cells if len(cells) <= room else cells[: room - 1]
    widths = [max(map(width, column)) for column in zip(head, *shown, strict=True)]
    lines = [
        "  ".join(
            pad(cell, wide, right=side == "r")
            for cell, wide, side in zip(row, widths, align, strict=True)
        ).rstrip()
        for row in (head, ["─" * wide for wide in widths], *shown)
    ]
    missing = len(cells) - len(shown)
    return [*lines, f"… {count(missing, f'more {noun}')}"] if missing else lines
