"""Views as a standalone HTML page or SVG file: for tests, for screenshots, for a README."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .lexer import plain
from .theme import css
from .view import View

__all__ = ["page", "picture"]


def page(views: Sequence[View], *, title: str = "iree-layers", dark: bool | None = None) -> str:
    """One HTML page with some views below each other.

    Args:
        views: what to show.
        title: the page's title.
        dark: with the attribute by which JupyterLab tells its theme; None: as the system prefers.
    """
    theme = "" if dark is None else f' data-jp-theme-light="{"false" if dark else "true"}"'
    scheme = "light dark" if dark is None else "dark" if dark else "light"
    shown = "\n".join(view.html or f"<pre>{_lines(view.text)}</pre>" for view in views)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{plain(title)}</title>'
        f"<style>html{{color-scheme:{scheme}}}body{{margin:16px}}body>.il{{margin:0 0 24px}}"
        "</style>"
        f"</head><body{theme}>\n{shown}\n</body></html>\n"
    )


def _lines(text: str) -> str:
    return "\n".join(map(plain, text.split("\n")))


def picture(drawing: str) -> str:
    """A drawing (an `<svg>` element, or HTML with one in it) as an SVG file with its own colours.

    Raises:
        ValueError: there is no drawing in it.
    """
    match = re.search(r"<svg .*?</svg>", drawing, re.DOTALL)
    if not match:
        raise ValueError("there is no drawing in this")
    opening, rest = match[0].split(">", 1)
    opening = opening.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" class="il" ', 1)
    return f"{opening}><style>{css('svg')}</style>{rest}\n"
