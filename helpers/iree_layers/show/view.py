"""A view: one thing to look at, as plain text for a terminal and as HTML for a notebook.

Both are made of the same value and neither depends on the machine, the time or chance, because
the notebooks' tests compare what a cell stored byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .text import fit
from .theme import css

__all__ = ["View", "view"]


@dataclass(frozen=True, slots=True)
class View:
    """What a cell shows."""

    text: str
    "plain text: at most 40 lines of at most 150 columns, without control characters"
    html: str = ""
    "one element with its own style sheet, without scripts; '' if the text is all there is"

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What IPython asks for: the text always, the HTML if there is one."""
        bundle = {"text/plain": self.text}
        if self.html:
            bundle["text/html"] = self.html
        return bundle

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:
        """Let IPython's terminal print the text as it is, not a repr of it."""
        printer.text(self.text)  # type: ignore[attr-defined]


def view(lines: Iterable[str], body: str, *parts: str) -> View:
    """A view of text lines, made to fit, and of HTML, wrapped together with its style sheet.

    Args:
        lines: the plain text; what is beyond the limits is cut, and counted in the last line.
        body: HTML, already escaped.
        parts: parts of the style sheet that the body needs, see `theme`.
    """
    return View("\n".join(fit(lines)), f'<div class="il"><style>{css(*parts)}</style>{body}</div>')
