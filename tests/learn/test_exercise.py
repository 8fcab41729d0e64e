from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from iree_layers.errors import ExerciseError, LayersError
from iree_layers.learn import TODO, Stage, check, progress, stub
from iree_layers.learn.progress import Entry


def test_an_answer_gets_a_verdict_with_the_exercise_on_it(toy: Stage) -> None:
    verdict = check("9.1", 3)
    assert verdict.solved is True
    assert (verdict.exercise, verdict.title) == ("9.1", "Count the lines")
    assert verdict.look == "the list itself"


def test_what_the_notebook_gives_is_used_instead_of_the_stage_s_own_run(toy: Stage) -> None:
    assert check("9.1", 5, run=["line"] * 5).solved is True
    assert check("9.1", 3, run=["line"] * 5).solved is False


def test_the_stage_s_own_run_is_made_once(toy: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    check("9.1", 3)
    from stages.s9_toy import checks  # type: ignore[import-not-found]

    made: list[int] = []
    monkeypatch.setattr("iree_layers.learn.loading._made", {})
    monkeypatch.setitem(checks.CONTEXT, "run", lambda: made.append(1) or ["x"])
    assert check("9.1", 1).solved
    assert check("9.1", 1).solved
    assert made == [1]


@pytest.mark.parametrize("answer", [TODO, ..., None])
def test_no_answer_is_not_solved_yet_and_says_the_task(toy: Stage, answer: object) -> None:
    verdict = check("9.1", answer)
    assert verdict.solved is None
    assert verdict.look == "How many lines does the run have?"
    assert progress().entries == {}


def returns_todo(x: int) -> int:
    return TODO  # type: ignore[no-any-return]


def not_implemented(x: int) -> int:
    raise NotImplementedError


def half_done(x: int) -> int:
    return x + TODO  # type: ignore[no-any-return]


@pytest.mark.parametrize("answer", [returns_todo, not_implemented, half_done])
def test_an_unfinished_function_is_not_solved_yet(toy: Stage, answer: object) -> None:
    assert check("9.2", answer).solved is None


def test_what_the_exercise_started_from_is_no_answer(toy_folder: Path) -> None:
    (toy_folder / "s9_toy" / "exercises" / "ex_9_1.py").write_text("answer = [1, 2]\n")
    assert check("9.1", [1, 2]).solved is None
    assert check("9.1", (1, 2)).solved is False
    assert check("9.1", [1, 3]).solved is False
    assert check("9.1", [np.zeros(2), np.zeros(2)]).solved is False


def calls_numpy(x: int) -> int:
    return int(np.frombuffer(b"abc", np.int32)[0])


def test_what_a_function_raises_is_a_verdict_with_its_line(toy: Stage) -> None:
    verdict = check("9.2", calls_numpy)
    assert verdict.solved is False
    assert "ValueError: buffer size must be a multiple" in verdict.found
    assert "in calls_numpy: return int(np.frombuffer" in verdict.look


def refused(x: int) -> int:
    raise LayersError("the module has no function 'f'", expected="one of mlp", todo="use mlp")


def long_said(x: int) -> int:
    raise LayersError("\n".join(f"line {n}" for n in range(30)))


def leaves(x: int) -> int:
    sys.exit(2)


class Adder:
    def __call__(self, x: int) -> int:
        return x + int("one")


def test_an_error_of_the_library_keeps_what_to_do_next(toy: Stage) -> None:
    verdict = check("9.2", refused)
    assert verdict.found == "LayersError: the module has no function 'f'\nexpected: one of mlp"
    assert verdict.look.startswith("line ")
    assert verdict.look.endswith("\nuse mlp")
    assert check("9.2", long_said).found.splitlines()[-2:] == ["line 5", "…"]


@pytest.mark.parametrize(
    ("answer", "found", "look"),
    [
        (leaves, "SystemExit: 2", "in leaves: sys.exit(2)"),
        (Adder(), "ValueError", 'in __call__: return x + int("one")'),
        (partial(lambda y, x: x / y, 0), "ZeroDivisionError", "in <lambda>"),
        (lambda: 1, "TypeError", "its arguments"),
    ],
)
def test_whatever_can_be_called_is_a_function(
    toy: Stage, answer: object, found: str, look: str
) -> None:
    verdict = check("9.2", answer)
    assert verdict.solved is False
    assert found in verdict.found
    assert look in verdict.look


def test_a_run_that_is_none_is_made_and_one_that_is_no_run_is_named(toy: Stage) -> None:
    assert check("9.1", 3, run=None).solved is True
    assert check("9.1", 3, run=3).look == "the type and the form of your answer and run"


def test_a_text_that_still_has_todo_says_so(toy: Stage) -> None:
    assert "TODO is still in your text" in check("9.3", "func.func @f() // TODO").look
    assert "still" not in check("9.3", stub("9.3")).look


def test_a_text_may_be_a_file(toy: Stage, tmp_path: Path) -> None:
    path = tmp_path / "f.mlir"
    path.write_text("@f")
    assert check("9.3", path).solved is True


def test_an_answer_that_the_check_cannot_use_is_a_verdict(toy: Stage) -> None:
    verdict = check("9.1", np.zeros(2))  # `==` gives an array, whose truth is ambiguous
    assert verdict.solved is False
    assert verdict.expected == "an answer that the check can use"
    assert "ValueError" in verdict.found


@pytest.mark.parametrize(
    ("id", "answer", "expected"),
    [("9.2", 2, "a function, without calling it"), ("9.3", 2, "a text"), ("9.3", len, "a text")],
)
def test_another_kind_of_answer(toy: Stage, id: str, answer: object, expected: str) -> None:
    verdict = check(id, answer)
    assert verdict.solved is False
    assert verdict.expected == expected


def test_tries_and_the_last_exercise_are_noted(toy: Stage) -> None:
    check("9.1", 7)
    check("9.1", 3)
    check("9.2", lambda x: x + 1)
    assert progress().entries["9.1"] == Entry(right=True, tries=2)
    assert "last exercise" not in str(check("9.1", 3))
    assert "that was the last exercise of stage 9" in str(check("9.3", "@f"))


def test_stubs(toy: Stage) -> None:
    assert stub("9.1") is TODO
    assert stub("9.3") == "func.func TODO() { return }"
    assert callable(stub("9.2"))


def test_an_unknown_id_raises(toy: Stage) -> None:
    with pytest.raises(LayersError, match="there is no exercise"):
        check("9.8", 1)
    with pytest.raises(LayersError, match=r"9\.1 is no id\n  expected: a text"):
        check(9.1, 1)  # type: ignore[arg-type]


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "s9_toy" / "checks.py"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("def check_9_1", "def check_9_7", "cannot answer 9.1"),
        ("    return wrong(", "    return str(", "TypeError|returned"),
        ('{"run": lines}', "{}", "nobody gives 'run'"),
        ("import re", "import no_such_module", "cannot be imported"),
    ],
)
def test_mistakes_of_a_stage_are_not_the_learner_s(
    toy_folder: Path, old: str, new: str, says: str
) -> None:
    edit(toy_folder, old, new)
    if new == "    return str(":
        edit(
            toy_folder, 'str(expected="the number of lines", found=answer, look="len(run)")', '"no"'
        )
    with pytest.raises(ExerciseError, match=says):
        check("9.1", 99)
