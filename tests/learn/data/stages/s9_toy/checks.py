"""Checks of the toy stage: a value, a function, a text, and one question."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from stages.s9_toy.program import lines

from iree_layers.learn.verdict import Verdict, right, wrong

CONTEXT: dict[str, Callable[[], object]] = {"run": lines}


def check_9_1(answer: object, *, run: list[str]) -> Verdict:
    """The number of lines of the run."""
    if answer == len(run):
        return right(f"{answer} lines")
    if answer == len(run) - 1:
        return wrong(expected="a count from 1", found="you counted from 0", look="the first line")
    return wrong(expected="the number of lines", found=answer, look="len(run)")


def check_9_2(answer: Callable[[int], Any]) -> Verdict:
    """A function that adds one, also to a negative number."""
    for number in (1, -1):
        result = answer(number)
        if result != number + 1:
            return wrong(expected=f"{number + 1}", found=result, look=f"your function of {number}")
    return right("adds one")


def check_9_3(answer: str) -> Verdict:
    """A line of IR whose function has a proper name."""
    if re.search(r"@\w+", answer):
        return right(answer)
    return wrong(expected="a symbol", found="no name with an @", look="func.func")


def answer_9_q1(*, run: list[str]) -> int:
    """The number of lines."""
    return len(run)
