"""The audit of a good stage finds nothing; each damage is found by the one that guards it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from iree_layers.errors import ExerciseError
from iree_layers.learn import Exercise, Stage, audit, check, predict, stage
from iree_layers.learn.ipynb import write
from iree_layers.learn.script import from_text


def all_problems(toy: Stage) -> list[str]:
    one: tuple[Callable[[Stage, Exercise], Iterator[str]], ...]
    one = (audit.stub, audit.solution, audit.wrong_answers)
    found = [p for function in one for exercise in toy.exercises for p in function(toy, exercise)]
    found += [p for question in toy.questions for p in audit.question(toy, question)]
    return [*found, *audit.files(toy), *audit.titles(toy)]


def test_the_toy_stage_is_good(toy: Stage) -> None:
    assert all_problems(toy) == []


def edit(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / "s9_toy" / name
    text = path.read_text() if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new) if old else new)


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("exercises/ex_9_3.py", "TODO", "@done", "9.3: the stub is the answer already"),
        ("exercises/ex_9_1.py", "", "answer = 3", "9.1: the stub is the answer already"),
        ("exercises/ex_9_2.py", "...", "return x", "9.2: the stub should be not solved yet"),
        ("solutions/ex_9_2.py", "x + 1", "x + 2", "9.2: the solution should be right"),
        ("solutions/ex_9_2.py", '"""One more than x."""', "", "9.2: the solution has no docstring"),
        ("wrong/ex_9_2.py", "return x\n", "return x + 1\n", "should be rejected"),
        (
            "wrong/ex_9_2.py",
            "return x\n",
            "return 1 / 0\n",
            "should say 'your function of 1' alone",
        ),
        ("wrong/ex_9_3.py", '"a text"', '"another"', "should say 'another' alone, but says []"),
        ("wrong/ex_9_1.py", "you counted from 0", "the number of", "should say"),
        ("checks.py", 'look="func.func"', 'look=""', "found or look is empty"),
        ("checks.py", "return len(run)", "return None", "9.q1: the run's answer is None"),
        ("checks.py", "return len(run)", 'return float("nan")', "the answer itself is not right"),
        ("exercises/ex_9_7.py", "", "answer = 1", "ex_9_7.py belongs to no exercise"),
        ("wrong/typo.py", "", "answer = 1", "typo.py belongs to no exercise"),
        ("checks.py", "import re\n", "import re\ncheck_9_7 = 1\n", "check_9_7 belongs to no entry"),
        ("stage.toml", '"Add one"', '"How many lines?"', "title 'How many lines?' is there twice"),
        ("stage.toml", '"Add one"', f'"{"x" * 51}"', "more than 50 characters"),
        ("stage.toml", '"9.2"]', '"9.2", "9.3"]', "no exercise checks item 9.3"),
    ],
)
def test_a_damaged_stage(toy_folder: Path, name: str, old: str, new: str, says: str) -> None:
    edit(toy_folder, name, old, new)
    found = all_problems(stage(9))
    assert any(says in problem for problem in found), found


@pytest.mark.parametrize(
    ("name", "says"),
    [("solutions/ex_9_1.py", "missing or has no answer"), ("wrong/ex_9_1.py", "has no wrong")],
)
def test_a_missing_file(toy_folder: Path, name: str, says: str) -> None:
    (toy_folder / "s9_toy" / name).unlink()
    with pytest.raises(ExerciseError, match=says):
        all_problems(stage(9))


@pytest.mark.parametrize("text", ["wrong = {}", "wrong = [1]", "wrong = {1: 2}"])
def test_wrong_answers_are_a_dict_with_reasons(toy_folder: Path, text: str) -> None:
    (toy_folder / "s9_toy" / "wrong" / "ex_9_1.py").write_text(text)
    with pytest.raises(ExerciseError, match="what the verdict must say"):
        all_problems(stage(9))


NOTEBOOK = """# %% [ignore]
check("9.1", TODO)
# %% [ignore]
check(
    "9.2", TODO)
# %% [ignore]
check('9.3', TODO)
# %% [ignore]
predict("9.q1", TODO)
"""


def store(text: str, path: Path, *, answers: tuple[object, ...] = (None,) * 4) -> Path:
    notebook = from_text(text)
    for cell, answer in zip(notebook["cells"], answers, strict=False):  # not the fifth, progress
        verb = predict if "predict" in cell["source"] else check
        id = next(id for id in ("9.1", "9.2", "9.3", "9.q1", "9.4") if id in cell["source"])
        shown = repr(verb(id, answer)) if id != "9.4" else "not solved yet"
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": shown}]
    write(notebook, path)
    return path


def test_a_notebook_that_asks_everything(toy: Stage, tmp_path: Path) -> None:
    assert list(audit.mentions(toy, store(NOTEBOOK, tmp_path / "n.ipynb"))) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('check("9.1", TODO)', 'check("9.3", TODO)', 'check("9.1", …) is in no code cell'),
        ('check("9.1", TODO)', 'check("9.1", TODO)\ncheck("9.4")', 'check("9.4") is not in'),
        ('predict("9.q1"', 'check("9.1"', 'predict("9.q1", …) is in no code cell'),
        (
            'predict("9.q1", TODO)\n',
            'predict("9.q1", TODO)\n# %%\nprogress()\n',
            "'progress()' needs",
        ),
        ('# %% [ignore]\ncheck("9.1"', '# %%\ncheck("9.1"', "needs the tag nbval-ignore-output"),
    ],
)
def test_a_notebook_that_does_not(
    toy: Stage, tmp_path: Path, old: str, new: str, says: str
) -> None:
    assert old in NOTEBOOK
    path = store(NOTEBOOK.replace(old, new), tmp_path / "n.ipynb")
    found = list(audit.mentions(toy, path))
    assert len(found) == 1, found
    assert says in found[0]


def test_a_notebook_with_somebody_s_answer(toy: Stage, tmp_path: Path) -> None:
    path = store(NOTEBOOK, tmp_path / "n.ipynb", answers=(3, None, None, None))
    assert list(audit.mentions(toy, path)) == ["n.ipynb: 9.1 is stored with an answer"]


def test_a_stage_without_a_notebook(toy: Stage, tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match="has no notebook"):
        list(audit.mentions(toy, tmp_path / "n.ipynb"))
