"""Check an answer: the stage's own function looks at it and gives a verdict."""

from __future__ import annotations

import traceback
from dataclasses import replace

from ..errors import ExerciseError
from .catalogue import find_exercise
from .loading import answer_of, function_of, needs
from .manifest import Exercise, Stage
from .progress import record
from .verdict import TodoUsed, Verdict, is_todo, not_yet, shown, wrong

__all__ = ["check", "judge", "stub", "verdict_on"]


def check(id: str, answer: object = None, **given: object) -> Verdict:
    """Is the answer to an exercise right? A wrong one is a verdict too, never an exception.

    Args:
        id: the exercise, e.g. `"2.3"`.
        answer: a value, a text or a function, as the exercise asks; `TODO`, and what the exercise
            started from, is "not solved yet".
        given: what the check may use of your run, e.g. `trace=trace`; else the stage makes its own.

    Raises:
        LayersError: no exercise has this id.
    """
    stage, exercise = find_exercise(id)
    verdict = verdict_on(stage, exercise, answer, **given)
    if verdict.solved is not None:
        left = record(stage, exercise.id, right=verdict.solved)
        if verdict.solved and left == 0:
            done = f"that was the last exercise of stage {stage.number}: all are solved"
            return replace(verdict, look="\n".join(filter(None, (verdict.look, done))))
    return verdict


def stub(id: str) -> object:
    """What an exercise starts from: a text with TODO in it, a function without a body, or TODO.

    Raises:
        LayersError: no exercise has this id.
    """
    stage, exercise = find_exercise(id)
    return answer_of(stage, exercise, "exercises")


def verdict_on(stage: Stage, exercise: Exercise, answer: object, **given: object) -> Verdict:
    """The verdict alone: nothing is recorded. What an answer raises becomes part of it.

    Raises:
        ExerciseError: the stage's files are wrong, not the answer.
    """
    if is_todo(answer) or _unchanged(answer, answer_of(stage, exercise, "exercises")):
        function_of(stage, exercise)  # an exercise without a check is found at once, not on solving
        verdict = not_yet(exercise.prompt)
    elif exercise.kind == "text" and not isinstance(answer, str):
        verdict = _wrong_kind("a text", answer)
    elif exercise.kind == "function" and not callable(answer):
        verdict = _wrong_kind("a function, without calling it", answer)
    else:
        verdict = judge(stage, exercise, answer, **given)
    if verdict.solved and not verdict.look:
        verdict = replace(verdict, look=exercise.look)
    return replace(verdict, exercise=exercise.id, title=exercise.title)


def judge(stage: Stage, exercise: Exercise, answer: object, **given: object) -> Verdict:
    """What the stage's own check says, whatever the answer is.

    Raises:
        ExerciseError: the check is missing, lacks a value, or does not return a verdict.
    """
    function = function_of(stage, exercise)
    values = needs(function, stage=stage, given=given)
    try:
        verdict: object = function(answer, **values)
    except Exception as error:
        return _raised(error, answer, exercise)
    if isinstance(verdict, Verdict):
        return verdict
    raise ExerciseError(
        f"check_{exercise.key} of {stage.name} returned {shown(verdict)}", expected="a Verdict"
    )


def _unchanged(answer: object, start: object) -> bool:
    """Is the answer still the value that the exercise started from?"""
    plain = isinstance(answer, (str, int, float, list, tuple, dict))
    try:
        return plain and type(answer) is type(start) and bool(answer == start)
    except Exception:  # what is in a list may compare in its own way, as arrays do
        return False


def _wrong_kind(expected: str, answer: object) -> Verdict:
    return wrong(
        expected=expected,
        found=f"{type(answer).__name__}: {shown(answer)}",
        look="what you pass to check",
    )


def _raised(error: Exception, answer: object, exercise: Exercise) -> Verdict:
    """A verdict from what the learner's function, or the check's use of the answer, raised."""
    code = getattr(answer, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if code and frame.filename == code.co_filename]
    unfinished = isinstance(error, NotImplementedError) and theirs and theirs[-1] is frames[-1]
    if isinstance(error, TodoUsed) or unfinished:
        return not_yet(exercise.prompt)
    found = f"{type(error).__name__}: {error}"
    if theirs:
        line = theirs[-1].line or ""
        look = f"line {theirs[-1].lineno} of your cell, in {theirs[-1].name}: {line}"
        return wrong(
            expected="a function that runs to its end", found=found, look=look.rstrip(": ")
        )
    form = "the type and the form of your answer"
    return wrong(expected="an answer that the check can use", found=found, look=form)
