from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.errors import LayersError
from iree_layers.learn import TODO, Stage, predict, progress
from iree_layers.learn.question import distance


def test_nothing_is_revealed_without_a_guess(toy: Stage) -> None:
    for guess in (TODO, None, ...):
        revealed = predict("9.q1", guess)
        assert revealed.right is None
        assert "3" not in str(revealed)
        assert "guess first" in str(revealed)
    assert progress().entries == {}


def test_a_guess_is_compared_with_the_run(toy: Stage) -> None:
    assert str(predict("9.q1", 5)).splitlines() == [
        "≠ 2 too many, off by a factor of 1.7 · 9.q1 How many lines?",
        "  your guess: 5",
        "  your run:   3",
        "  look at:    len(run)",
    ]
    assert predict("9.q1", 3).right is True
    assert predict("9.q1", 2, run=["a", "b"]).right is True
    entry = progress().entries["9.q1"]
    assert (entry.right, entry.tries) == (True, 3)


def test_what_is_no_guess_is_not_spent(toy: Stage) -> None:
    """A guess of another kind reveals nothing, and is not counted as one."""
    revealed = predict("9.q1", "five")
    assert revealed.right is None
    assert revealed.answer == ""
    assert "give a whole number, not 'five'" in str(revealed)
    assert "9.q1" not in progress().entries


@pytest.mark.parametrize("guess", [True, 2.5, "3", [3], {3}, float("nan"), float("inf"), b"3"])
def test_a_count_is_a_whole_number(toy: Stage, guess: object) -> None:
    revealed = predict("9.q1", guess)
    assert revealed.answer == ""
    assert "give a whole number, not " in str(revealed)
    assert progress().entries == {}


@pytest.mark.parametrize("guess", [np.int64(3), 3.0, np.array(3)])
def test_a_number_of_numpy_is_one(toy: Stage, guess: object) -> None:
    assert predict("9.q1", guess).right is True


def test_the_names_of_a_set_may_stand_in_one_text(toy_folder: Path) -> None:
    checks = toy_folder / "s9_toy" / "checks.py"
    checks.write_text(checks.read_text() + "\ndef answer_9_q1(*, run): return {'hal', 'vm'}\n")
    for guess in ("hal, vm", ["vm", "hal"], np.array(["hal", "vm"]), iter(("hal", "vm"))):
        assert predict("9.q1", guess).right is True
    for other in (3, [1, 2], [["hal"]]):
        assert "give a set of names, not " in str(predict("9.q1", other))


def test_what_was_given_and_is_no_run_is_named(toy: Stage) -> None:
    with pytest.raises(LayersError, match=r"9\.q1 has no answer in run=7: TypeError"):
        predict("9.q1", 3, run=7)
    assert predict("9.q1", 3, run=None).right is True


def test_an_unknown_question_has_the_list(toy: Stage) -> None:
    with pytest.raises(LayersError, match=r"no question '9\.q7'\n  expected: one of 9\.q1"):
        predict("9.q7", 3)


@pytest.mark.parametrize(
    ("guess", "answer", "words"),
    [
        (300, 746, "446 too few, off by a factor of 2.5"),
        (0, 3, "3 too few"),
        (-1, 3, "4 too few"),
        (1, 1e6, "999999 too few, far off"),
        (3.0, 3, ""),
        (True, True, ""),
        (True, False, "the other way round"),
        (1, True, "the other way round"),
        ("Flow ", "flow", ""),
        ("hal", "flow", "something else"),
        ({"flow", "hal"}, {"flow", "vm"}, "missing: vm; not there: hal"),
        (["vm", "flow"], {"flow", "vm"}, ""),
        (("flow", "vm"), ["flow", "hal"], "place 2 is 'hal', not 'vm'"),
        (["flow"], ["flow", "hal"], "2 in all, not 1"),
        (
            {"flow": 2},
            {"flow": 3, "hal": 1},
            "flow: 1 too few, off by a factor of 1.5; missing: hal",
        ),
        ("flow", {"flow"}, "a guess of type str, the answer is a set"),
        ("3", 3, "a guess of type str, the answer is a int"),
    ],
)
def test_distance(guess: object, answer: object, words: str) -> None:
    assert distance(guess, answer) == words


VALUES = st.one_of(
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.text(),
    st.frozensets(st.text()),
    st.lists(st.text()),
    st.dictionaries(st.text(), st.integers()),
)


@given(VALUES)
def test_every_answer_is_right_as_a_guess(value: object) -> None:
    assert distance(value, value) == ""


@given(st.lists(st.integers()), st.lists(st.integers()))
def test_sequences_agree_only_if_they_are_equal(guess: list[int], answer: list[int]) -> None:
    assert (distance(guess, answer) == "") == (guess == answer)
    assert (distance(Counter(guess), Counter(answer)) == "") == (Counter(guess) == Counter(answer))
