from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iree_layers.learn.ipynb import write
from iree_layers.learn.rules import code_cells, is_ignored, validate
from iree_layers.learn.script import Notebook, cell_ids, from_text

TEXT = """# %% [markdown]
# # Title
# See [the other](other.md) and [IREE](https://iree.dev/home/x), [below](#part).
# %%
# a short label
x = 42
print("the answer is", x)
x
# %% [ignore]
y = 1
"""


def good() -> Notebook:
    notebook = from_text(TEXT)
    first, second = code_cells(notebook)
    first["execution_count"], second["execution_count"] = 1, 2
    first["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "the answer is 42\n"},
        {
            "output_type": "execute_result",
            "execution_count": 1,
            "metadata": {},
            "data": {"text/plain": "42", "text/html": "<b>42</b>"},
        },
    ]
    return notebook


def problems(notebook: Notebook, folder: Path, *, raw: bool = False) -> list[str]:
    """What validate says; `raw` stores the notebook as it is, not cleaned."""
    (folder / "other.md").write_text("x")
    path = folder / "n.ipynb"
    if raw:
        import nbformat

        path.write_text(nbformat.writes(nbformat.from_dict(notebook)))
    else:
        write(notebook, path)
    return validate(path)


def test_a_good_notebook_has_no_problems(tmp_path: Path) -> None:
    assert problems(good(), tmp_path) == []
    assert problems(good(), tmp_path, raw=True) == []


def code(notebook: Notebook) -> Any:
    return code_cells(notebook)[0]


def source(text: str) -> Callable[[Notebook], None]:
    return lambda notebook: code(notebook).update(source=text)


def prints(text: str, name: str = "stdout") -> Callable[[Notebook], None]:
    return lambda notebook: code(notebook)["outputs"][0].update(text=text, name=name)


def shows(mime: str, value: str) -> Callable[[Notebook], None]:
    return lambda notebook: code(notebook)["outputs"][1]["data"].update({mime: value})


def markdown(text: str) -> Callable[[Notebook], None]:
    return lambda notebook: notebook["cells"][0].update(source=f"# Title\n{text}")


def stripped(notebook: Notebook) -> None:
    for cell in code_cells(notebook):
        cell.update(outputs=[])


DAMAGES: list[tuple[Callable[[Notebook], object], str]] = [
    (lambda nb: code(nb).update(execution_count=None), "execution counts are [None, 2]"),
    (lambda nb: code(nb).update(execution_count=3), "execution counts are [3, 2]"),
    (stripped, "nothing to compare"),
    (lambda nb: nb["cells"].pop(0), "the first cell should be markdown"),
    (markdown("[x](gone.md)"), "there is no gone.md"),
    (markdown('<img src="gone.svg">'), "there is no gone.svg"),
    (markdown("[x](http://iree.dev)"), "is not https"),
    (source("\n".join(f"x{i} = {i}" for i in range(13))), "has 13 lines; at most 12"),
    (source("!ls"), "is not Python: use a helper"),
    (source("%time x"), "is not Python: use a helper"),
    (source("x ="), "is not Python"),
    (source("# NBVAL_IGNORE_OUTPUT\nx"), "use a tag instead"),
    (source("# this is a comment of a good many words, which is prose\nx"), "is prose"),
    (
        source("print('one two three four five six seven eight nine words')".replace("one", "on")),
        "is prose",
    ),
    (source("'''This text would have to be translated for every other edition.'''"), "is prose"),
    (source("print(f'{x} is what the compiler says about this program of yours')"), "is prose"),
    (prints("line\n" * 41), "shows 42 lines; at most 40"),
    (prints("x" * 151), "a line of 151 columns"),
    (prints("warning", "stderr"), "has stderr: 'warning'"),
    (prints("in /home/ada/x.mlir"), "has an absolute path"),
    (prints("C:\\Users\\ada"), "has an absolute path"),
    (prints("at 2026-12-01T06:01:30"), "has a time"),
    (prints("\x1b[31mred\x1b[0m"), "has a colour code"),
    (shows("text/html", "<a href='/tmp/x/y'>"), "has an absolute path"),
    (shows("image/png", "iVBORw0KGgo="), "image/png, which nbval never compares"),
    (shows("application/vnd.jupyter.widget-view+json", "{}"), "has a widget"),
    (shows("image/svg+xml", "<svg>" + "x" * 200_000), "fewer than 200000"),
    (lambda nb: code(nb).update(metadata={"tags": ["nbval-skip"]}), "has the tag nbval-skip"),
    (
        lambda nb: code(nb)["outputs"].append(
            {"output_type": "error", "ename": "E", "evalue": "no", "traceback": []}
        ),
        "has an error: E: no",
    ),
]


@pytest.mark.parametrize(("damage", "says"), DAMAGES, ids=[says for _, says in DAMAGES])
def test_each_damage_is_found_and_nothing_else(
    tmp_path: Path, damage: Callable[[Notebook], object], says: str
) -> None:
    notebook = good()
    damage(notebook)
    found = problems(notebook, tmp_path)
    assert len(found) == 1, found
    assert says in found[0]


RAW: list[tuple[Callable[[Notebook], object], str]] = [
    (lambda nb: nb["metadata"].update(language_info={"version": "3.11.7"}), "metadata is"),
    (lambda nb: nb["metadata"].update(kernelspec={"name": "ir"}), "metadata is"),
    (lambda nb: code(nb)["metadata"].update(execution={"a": "b"}), "only tags are kept"),
    (lambda nb: code(nb).update(id="ab12"), "cell id ab12 should be"),
]


@pytest.mark.parametrize(("damage", "says"), RAW)
def test_what_refresh_would_have_cleaned_is_found(
    tmp_path: Path, damage: Callable[[Notebook], object], says: str
) -> None:
    notebook = copy.deepcopy(good())
    damage(notebook)
    found = problems(notebook, tmp_path, raw=True)
    assert len(found) == 1, found
    assert says in found[0]


def test_text_that_only_looks_like_a_path_is_allowed(tmp_path: Path) -> None:
    notebook = good()
    prints("https://iree.dev/home/x a/home/b 1/2 flow//stream <TMP>/x </tmp>")(notebook)
    assert problems(notebook, tmp_path) == []


def test_ids_match_the_texts() -> None:
    cells = good()["cells"]
    assert [cell["id"] for cell in cells] == cell_ids(cells)


def test_is_ignored() -> None:
    first, second = code_cells(good())
    assert not is_ignored(first)
    assert is_ignored(second)
    assert is_ignored({**first, "source": "# NBVAL_SKIP\nx"})
