"""Percent text ↔ notebook: how a notebook is written by hand, outside the repository.

In goes text such as

    # %% [markdown]
    # # Stage 0
    # What to look for.
    # %%
    import iree_layers
    # %% [ignore]
    iree_layers.doctor()

and out comes a notebook without outputs, as the plain JSON value that nbformat 4.5 describes; the
other way round too. A markdown cell may also be one triple-quoted string, without the `# `. Only
the `.ipynb` is kept in the repository; `to_text` gives the text back when you want to edit it.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from ..errors import ExerciseError

__all__ = ["TAGS", "Notebook", "cell_ids", "from_text", "to_text"]

Notebook = dict[str, Any]
"""A notebook of nbformat 4.5 as JSON; `source` and `text` are strings, not lists of lines."""

TAGS = {"ignore": "nbval-ignore-output", "raises": "raises-exception"}
"""What may stand in `# %% [...]` beside `markdown`: our short name → the tag that nbval reads."""

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""All the metadata that a stored notebook has; anything else changes from machine to machine."""

# # %% [ignore]
_BORDER = re.compile(r"# %%(?:\s+\[(?P<tags>[^\]]*)\])?\s*(?P<rest>.*)")


def from_text(text: str) -> Notebook:
    """The notebook that a percent text describes: cells in order, no outputs.

    Raises:
        ExerciseError: a cell border, tag or markdown line that is not understood, with its line.
    """
    cells: list[Notebook] = []
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        border = _BORDER.fullmatch(line)
        if border is None:
            if not cells and line.strip() and not line.startswith("#"):
                raise _wrong(number, line, "a text starts with a comment or with `# %%`")
            lines.append(line)
            continue
        _fill(cells, lines, number)
        cells.append(_empty_cell(border, number, line))
        lines = []
    _fill(cells, lines, len(text.splitlines()) + 1)
    for cell, name in zip(cells, cell_ids(cells), strict=True):
        cell["id"] = name
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def to_text(notebook: Notebook) -> str:
    """The percent text of a notebook; outputs are left out."""
    short = {tag: name for name, tag in TAGS.items()}
    parts: list[str] = []
    for cell in notebook["cells"]:
        source = cell["source"]
        if cell["cell_type"] == "markdown":
            lines = source.split("\n")
            body = "\n".join(f"# {line}".rstrip() for line in lines)
            if any(line.startswith("%%") for line in lines):  # would read as a border
                body = f'"""\n{source}\n"""'
            parts.append(f"# %% [markdown]\n{body}\n")
            continue
        tags = [short.get(tag, tag) for tag in cell["metadata"].get("tags", [])]
        border = f"# %% [{', '.join(tags)}]" if tags else "# %%"
        parts.append(f"{border}\n{source}\n")
    return "\n".join(parts)


def cell_ids(cells: list[Notebook]) -> list[str]:
    """One id for each cell, made from its text: the same text gives the same id on every machine.

    A cell that is added or changed leaves the ids of all others alone, so diffs stay short.
    """
    seen: dict[str, int] = {}
    names: list[str] = []
    for cell in cells:
        digest = hashlib.sha256(cell["source"].encode()).hexdigest()[:10]
        name = f"{cell['cell_type']}-{digest}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return names


def _empty_cell(border: re.Match[str], number: int, line: str) -> Notebook:
    """The cell that a border opens, with an empty source."""
    words = [word.strip() for word in (border["tags"] or "").split(",") if word.strip()]
    known = ["markdown", *TAGS, *TAGS.values()]
    if border["rest"] or any(word not in known for word in words):
        raise _wrong(number, line, f"`# %%` or `# %% [tag]` with a tag of {', '.join(known)}")
    if words == ["markdown"]:
        return {"cell_type": "markdown", "metadata": {}, "source": ""}
    if "markdown" in words:
        raise _wrong(number, line, "a markdown cell has no tags")
    tags = {"tags": [TAGS.get(word, word) for word in words]} if words else {}
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": tags,
        "outputs": [],
        "source": "",
    }


def _fill(cells: list[Notebook], lines: list[str], end: int) -> None:
    """Give the lines before line `end` to the cell that is open; before the first, drop them."""
    if not cells:
        return
    first = end - len(lines)
    if cells[-1]["cell_type"] == "markdown":
        lines = _markdown(lines, first)
    source = "\n".join(line.rstrip() for line in lines).strip("\n")
    if not source:
        raise _wrong(first, "", "a cell with at least one line")
    cells[-1]["source"] = source


def _markdown(lines: list[str], first: int) -> list[str]:
    """Markdown without its comment signs, or without its triple quotes."""
    body = "\n".join(lines).strip()
    for quotes in ('"""', 'r"""'):
        if body.startswith(quotes) and body.endswith('"""') and len(body) >= len(quotes) + 3:
            return body[len(quotes) : -3].strip("\n").split("\n")
    for number, line in enumerate(lines, start=first):
        if line.strip() and line != "#" and not line.startswith("# "):
            raise _wrong(number, line, "markdown: every line starts with `# `, or is a bare `#`")
    return [line[2:] for line in lines]


def _wrong(number: int, line: str, expected: str) -> ExerciseError:
    return ExerciseError(f"line {number} of the notebook's text: {line!r}", expected=expected)
