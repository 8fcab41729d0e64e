from __future__ import annotations

from pathlib import Path

import pytest

from iree_layers.errors import ExerciseError, LayersError
from iree_layers.learn import Stage, hint, progress, solution
from iree_layers.learn.progress import Entry


def test_each_call_shows_the_next_hint(toy: Stage) -> None:
    assert str(hint("9.1")) == "hint 1 of 2 for 9.1: A run is a list of lines."
    assert str(hint("9.1")).startswith("hint 2 of 2 for 9.1: Use len.")
    assert hint("9.1").number == 2
    assert hint("9.2").number == 1
    assert progress().entries["9.1"] == Entry(hints=2)


def test_the_last_hint_names_the_solution(toy: Stage) -> None:
    assert 'solution("9.2")' in str(hint("9.2"))
    assert "solution" not in str(hint("9.1"))


def test_a_hint_can_be_named(toy: Stage) -> None:
    assert hint("9.1", 2).text == "Use len."
    assert hint("9.1", 1).text == "A run is a list of lines."
    assert hint("9.1").number == 2
    for number in (0, 3):
        with pytest.raises(LayersError, match="from 1 to 2"):
            hint("9.1", number)


def test_hint_and_solution_are_folded(toy: Stage) -> None:
    assert hint("9.1")._repr_html_() == (
        "<details><summary>hint 1 of 2 for 9.1</summary><p>A run is a list of lines.</p></details>"
    )
    html = solution("9.1")._repr_html_()
    assert html.startswith("<details><summary>")
    assert "-&gt; int" in html


def test_a_solution_is_the_text_of_its_file(toy: Stage) -> None:
    assert "return len(run)" in str(solution("9.1"))
    assert progress().entries["9.1"] == Entry(solution=True)


def test_a_solution_that_is_missing(toy_folder: Path) -> None:
    (toy_folder / "s9_toy" / "solutions" / "ex_9_1.py").unlink()
    with pytest.raises(ExerciseError, match=r"no solution of 9\.1"):
        solution("9.1")
