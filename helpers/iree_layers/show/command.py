"""A shell line, folded so that it fits on the screen and still works when it is pasted."""

from __future__ import annotations

import re
from html import escape

from .view import View

__all__ = ["command"]

# '--input=4xf32=1 2 3 4' is one word of iree-run-module … '--input=4xf32=1 2 3 4'
_WORD = re.compile(r"(?:'[^']*'|\"[^\"]*\"|\\.|[^\s'\"\\])+")


def command(line: object, *, columns: int = 100) -> View:
    """The line with a backslash where it is broken; a word is never broken.

    Args:
        line: a command line, or a value whose text is one.
        columns: longest line to make.
    """
    lines: list[str] = []
    for word in _WORD.findall(str(line)):
        if lines and len(lines[-1]) + len(word) + 3 <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(f"    {word}" if lines else word)
    text = " \\\n".join(lines)
    return View(text, f"<pre>{escape(text)}</pre>")
