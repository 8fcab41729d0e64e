from __future__ import annotations

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.errors import ExerciseError
from iree_layers.learn.script import METADATA, Notebook, cell_ids, from_text, to_text

TEXT = '''# a note to the author
# %% [markdown]
# # Title
#
# What to look for.
# %%

import sys


# a comment
sys.platform

# %% [markdown]
"""
A *paragraph*.

    code in it
"""
# %% [ignore, raises]
1 / 0
'''


def test_a_text_becomes_cells() -> None:
    cells = from_text(TEXT)["cells"]
    assert [(cell["cell_type"], cell["source"]) for cell in cells] == [
        ("markdown", "# Title\n\nWhat to look for."),
        ("code", "import sys\n\n\n# a comment\nsys.platform"),
        ("markdown", "A *paragraph*.\n\n    code in it"),
        ("code", "1 / 0"),
    ]
    assert cells[3]["metadata"] == {"tags": ["nbval-ignore-output", "raises-exception"]}
    assert all(cell["metadata"] == {} for cell in cells[:3])


def test_the_result_is_a_notebook_of_its_format() -> None:
    notebook = from_text(TEXT)
    assert notebook["metadata"] == METADATA
    nbformat.validate(nbformat.from_dict(notebook))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\n# %%\n1\n", "line 1 .*'x = 1'"),
        ("# %% [markdwn]\n# x\n", "line 1 .*markdwn"),
        ("# %% title\n1\n", "line 1 .*title"),
        ("# %% [markdown, ignore]\n# x\n", "a markdown cell has no tags"),
        ("# %% [markdown]\n# one\n#two\n", "line 3 .*'#two'"),
        ("# %% [markdown]\n# one\ntwo\n", "line 3 .*'two'"),
        ("# %%\n\n# %%\n1\n", "at least one line"),
        ("# %%\n1\n# %%\n", "at least one line"),
    ],
)
def test_what_is_not_understood_is_said_with_its_line(text: str, says: str) -> None:
    with pytest.raises(ExerciseError, match=says):
        from_text(text)


LINES = st.lists(
    st.text("abc #%()'\"=é中", max_size=12).filter(lambda line: not line.startswith("# %%")),
    min_size=1,
    max_size=5,
)
SOURCES = LINES.map(lambda lines: "\n".join(line.rstrip() for line in lines).strip("\n"))
CELLS = st.tuples(
    st.sampled_from(["markdown", "code"]),
    SOURCES.filter(lambda source: source.strip() and '"""' not in source),
    st.sets(st.sampled_from(["nbval-ignore-output", "raises-exception"])),
)


def made(cells: list[tuple[str, str, set[str]]]) -> Notebook:
    return {
        "cells": [
            {"cell_type": kind, "source": source, "metadata": {"tags": sorted(tags)}}
            if kind == "code" and tags
            else {"cell_type": kind, "source": source, "metadata": {}}
            for kind, source, tags in cells
        ]
    }


@given(st.lists(CELLS, max_size=6))
def test_there_and_back_is_the_same(cells: list[tuple[str, str, set[str]]]) -> None:
    notebook = made(cells)
    again = from_text(to_text(notebook))["cells"]
    assert len(again) == len(cells)
    for old, new in zip(notebook["cells"], again, strict=True):
        assert {name: new[name] for name in old} == old


@given(st.lists(CELLS, max_size=8))
def test_ids_are_unique_valid_and_the_same_each_time(
    cells: list[tuple[str, str, set[str]]],
) -> None:
    names = cell_ids(made(cells)["cells"])
    assert len(set(names)) == len(names) == len(cells)
    assert names == cell_ids(made(cells)["cells"])
    assert all(name.replace("-", "").isalnum() and len(name) <= 64 for name in names)


def test_a_new_cell_leaves_the_ids_of_the_others_alone() -> None:
    before = cell_ids(from_text("# %%\na\n# %%\nb\n")["cells"])
    after = cell_ids(from_text("# %%\nnew\n# %%\na\n# %%\nb\n")["cells"])
    assert after[1:] == before
