"""The style sheet of all views, in parts, so that an output carries only what it uses.

JupyterLab gives every output of a notebook its own place and may clear any of them, so each view
brings its style along. Hence the parts, and hence their size: what one view needs is under 3 kB.
Colours follow JupyterLab's theme (`data-jp-theme-light`), elsewhere the system's preference.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["PARTS", "css"]

PARTS = ("base", "code", "table", "diff", "life", "svg", "tree", "graph", "schedule")
"in the order of the file; `base` is always included"


def css(*parts: str) -> str:
    """The rules of `base` and of some parts, without blanks that mean nothing."""
    return "".join(_sheet()[part] for part in PARTS if part in ("base", *parts))


@cache
def _sheet() -> dict[str, str]:
    text = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
    # /* part: code */
    pieces = re.split(r"/\* part: (\w+) \*/", text)[1:]
    return {name: _small(rules) for name, rules in zip(pieces[::2], pieces[1::2], strict=True)}


def _small(rules: str) -> str:
    rules = re.sub(r"/\*.*?\*/", "", rules, flags=re.DOTALL)
    rules = re.sub(r"\s+", " ", rules)
    return re.sub(r" ?([{};,>]) ?|: ", lambda m: m[1] or ":", rules).replace(";}", "}").strip()
