"""Pieces of IR that are long enough to be read, and short enough to be shown."""

from __future__ import annotations

import textwrap

from iree_layers.errors import DumpError

__all__ = ["between"]


def between(text: str, words: str, *, nth: int = 1, lines: int = 12) -> str:
    """Some lines of a text, from the nth line that has these words, without their indent.

    Raises:
        DumpError: there are fewer such lines.
    """
    every = text.splitlines()
    found = [number for number, line in enumerate(every) if words in line]
    if len(found) < nth:
        raise DumpError(f"{len(found)} lines have {words!r}", expected=f"at least {nth}")
    start = found[nth - 1]
    return textwrap.dedent("\n".join(every[start : start + lines])) + "\n"
