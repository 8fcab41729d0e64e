"""Notebook files: read, clean, write. Only what is the same after every run is stored."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

from ..errors import ExerciseError, ToolMissing
from .script import METADATA, Notebook, cell_ids

__all__ = ["clean", "need", "read", "without_colours", "write"]

# \x1b[0;31mValueError\x1b[0m: no (IPython 9)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def read(path: Path) -> Notebook:
    """The notebook stored at `path`.

    Raises:
        ExerciseError: the file is not a notebook of nbformat 4.
    """
    nbformat = need("nbformat")
    try:
        notebook: Notebook = nbformat.read(path, as_version=4)
    except (OSError, ValueError, AttributeError, KeyError, nbformat.ValidationError) as error:
        raise ExerciseError(
            f"{path} is not a notebook: {error}", expected="a file of nbformat 4.5"
        ) from error
    return notebook


def write(notebook: Notebook, path: Path) -> bool:
    """Store the notebook, cleaned; True if the file changed. An equal file is not touched."""
    nbformat = need("nbformat")
    text: str = nbformat.writes(nbformat.from_dict(clean(notebook))) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8", newline="\n")
    return True


def clean(notebook: Notebook) -> Notebook:
    """The same notebook without what changes from run to run; outputs and counts stay.

    They stay because nbval compares a cell only if its execution count is stored.
    """
    cells = [_clean_cell(cell) for cell in notebook["cells"]]
    for cell, name in zip(cells, cell_ids(cells), strict=True):
        cell["id"] = name
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def without_colours(text: str) -> str:
    """The text without ANSI colour codes."""
    return _ANSI.sub("", text)


def need(module: str) -> Any:
    """Import a module of the extra `[test]`, when it is needed.

    Raises:
        ToolMissing: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ToolMissing(
            f"{error.name} is not installed", todo='pip install "iree-layers[test]"'
        ) from error


def _clean_cell(cell: Notebook) -> Notebook:
    tags = cell["metadata"].get("tags")
    kept: Notebook = {
        "cell_type": cell["cell_type"],
        "metadata": {"tags": list(tags)} if tags else {},
        "source": cell["source"],
    }
    if cell["cell_type"] == "code":
        kept["execution_count"] = cell["execution_count"]
        kept["outputs"] = [_clean_output(output) for output in cell["outputs"]]
    return kept


def _clean_output(output: Notebook) -> Notebook:
    kept = dict(output)
    if "metadata" in kept:
        kept["metadata"] = {}
    if kept["output_type"] == "error":
        kept["traceback"] = [without_colours(line) for line in kept["traceback"]]
    return kept
