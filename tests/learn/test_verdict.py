from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.learn import TODO, Verdict, not_yet, right, wrong
from iree_layers.learn.verdict import TodoUsed, is_todo, shown


def empty(x: int) -> int:  # type: ignore[empty-body]
    """Only a docstring."""


def dots(x: int) -> int:  # type: ignore[empty-body]
    ...


def passes(x: int) -> None:
    """With a docstring."""
    pass


def one(x: int) -> int:
    return 1


def prints(x: int) -> None:
    print(x)


def returns_none(x: int) -> None:
    y = x
    return y and None


@pytest.mark.parametrize(
    "answer",
    [
        TODO,
        None,
        ...,
        "func.func @TODO()",
        [1, TODO],
        (TODO,),
        {"flow": TODO},
        empty,
        dots,
        passes,
        lambda: None,
    ],
)
def test_no_answer_yet(answer: object) -> None:
    assert is_todo(answer)


@pytest.mark.parametrize(
    "answer",
    [0, False, "", [], {}, (None, 1), "todo", one, prints, returns_none, len, np.zeros(3), int],
)
def test_an_answer(answer: object) -> None:
    assert not is_todo(answer)


@pytest.mark.parametrize(
    "use",
    [
        lambda: TODO == 3,
        lambda: 3 == TODO,
        lambda: bool(TODO),
        lambda: TODO + 1,
        lambda: 1 + TODO,
        lambda: list(TODO),
        lambda: TODO[0],
        lambda: TODO(),
        lambda: TODO.shape,
        lambda: len(TODO),
        lambda: f"{TODO}",
        lambda: TODO < 3,
        lambda: 3 in TODO,
        lambda: range(TODO),
        lambda: TODO / 2,
    ],
)
def test_any_use_of_todo_is_noticed(use: object) -> None:
    assert callable(use)
    with pytest.raises((TodoUsed, TypeError)):
        use()


def test_todo_can_be_looked_at() -> None:
    assert repr(TODO) == "TODO"
    assert not hasattr(TODO, "_repr_html_")


def test_a_verdict_reads_as_a_short_text() -> None:
    verdict = wrong(expected="a number", found=[1, 2], look="the trace")
    assert str(verdict).splitlines() == [
        "✗ not right",
        "  expected: a number",
        "  found:    [1, 2]",
        "  look at:  the trace",
    ]
    assert str(right()) == "✓ solved"
    assert str(not_yet()) == "○ not solved yet"
    assert repr(verdict) == str(verdict)


def test_a_verdict_is_true_only_when_solved() -> None:
    assert right()
    assert not wrong(expected="x", found="y", look="z")
    assert not not_yet()


def test_more_lines_stay_under_their_column() -> None:
    text = str(wrong(expected="x", found="one\ntwo", look="z"))
    assert "  found:    one\n            two\n" in text


@given(st.text(), st.text())
def test_html_holds_the_same_text_escaped(expected: str, found: str) -> None:
    html = Verdict(False, expected, found + "<script>", "look")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


class Rude:
    def __repr__(self) -> str:
        raise RuntimeError


def test_shown_is_short_and_never_raises() -> None:
    assert shown(Rude()) == "a Rude whose repr raises RuntimeError"
    assert shown("x" * 1000) == "'" + "x" * 199 + "… (1002 characters)"
    assert shown(np.zeros((2, 2))) == "array([[0., 0.], [0., 0.]])"
