"""Source locations in a printed text: `loc(…)` at the end of ops and block arguments.

They nest brackets and hold strings, and a string of the program may look like one; so brackets and
quotes are counted. Aliases of locations (`#loc3`) are like all aliases, see `normalise`.
"""

from __future__ import annotations

import re

__all__ = ["Quotes", "mask_locations"]

# "memref.store"(…) loc(callsite("f"("m.mlir":3:5) at #loc2)) · %arg0: f32 loc("m.mlir":1:2)  (3.13)
_LOCATION = " loc("
_BRACKET = re.compile(r'[()"]')
_STRING_END = re.compile(r'(?:[^"\\]|\\.)*"', re.S)


class Quotes:
    """Whether a place is within a string; to be asked for places in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._odd = False

    def around(self, position: int) -> bool:
        """Whether the line has an open quote there; one in a string is printed as a code."""
        line = self._text.rfind("\n", self._position, position)
        if line >= 0:
            self._position, self._odd = line, False
        self._odd ^= self._text.count('"', self._position, position) % 2 == 1
        self._position = position
        return self._odd


def mask_locations(text: str) -> tuple[str, int]:
    """Text without locations, and how many there were."""
    if _LOCATION not in text:
        return text, 0
    parts = []
    count = position = 0
    quotes = Quotes(text)
    while (start := text.find(_LOCATION, position)) >= 0:
        end = None if quotes.around(start) else _closing(text, start + len(_LOCATION))
        parts.append(text[position:start])
        if end is None:
            parts.append(_LOCATION)
            position = start + len(_LOCATION)
        else:
            count += 1
            position = end
    parts.append(text[position:])
    return "".join(parts), count


def _closing(text: str, position: int) -> int | None:
    """Offset after the bracket that closes the one before `position`, on the same line."""
    depth = 1
    line_end = text.find("\n", position)
    stop = len(text) if line_end < 0 else line_end
    while match := _BRACKET.search(text, position, stop):
        position = match.end()
        if match[0] == '"':
            quoted = _STRING_END.match(text, position, stop)
            if quoted is None:
                return None
            position = quoted.end()
            continue
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return position
    return None
