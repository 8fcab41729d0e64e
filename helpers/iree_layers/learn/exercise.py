"""Check an answer: the stage's own function looks at it and gives a verdict."""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import ExerciseError, LayersError
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
    start = answer_of(stage, exercise, "exercises")
    if exercise.kind == "text" and isinstance(answer, Path) and answer.is_file():
        answer = answer.read_text(encoding="utf-8")
    if is_todo(answer) or _unchanged(answer, start):
        function_of(stage, exercise)  # an exercise without a check is found at once, not on solving
        edited = isinstance(answer, str) and answer not in (start, "TODO")
        verdict = not_yet(exercise.prompt + "\nThe word TODO is still in your text." * edited)
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
    except (Exception, SystemExit) as error:
        return _raised(error, answer, exercise, [name for name in values if name in given])
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


def _raised(
    error: BaseException, answer: object, exercise: Exercise, given: Sequence[str]
) -> Verdict:
    """A verdict from what the learner's function, or the check's use of the answer, raised."""
    file = _file_of(answer)
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if frame.filename == file]
    unfinished = isinstance(error, NotImplementedError) and theirs and theirs[-1] is frames[-1]
    if isinstance(error, TodoUsed) or unfinished:
        return not_yet(exercise.prompt)
    said, todo, expected = str(error), "", ""
    if isinstance(error, LayersError):
        said, todo, expected = error.found, error.todo, error.expected
    found = _shortened(f"{type(error).__name__}: {said}".rstrip(": "))
    if theirs:
        last = theirs[-1]
        line = f"line {last.lineno} of your cell, in {last.name}: {last.line or ''}"
        look = "\n".join(filter(None, (line.rstrip(": "), todo)))
        found += f"\nexpected: {expected}" if expected else ""
        return wrong("a function that runs to its end", found, look=look)
    if callable(answer) and isinstance(error, TypeError):
        return wrong("a function that is called as the task says", found, look="its arguments")
    form = " and ".join(("the type and the form of your answer", *given))
    return wrong(expected or "an answer that the check can use", found, look=todo or form)


def _shortened(text: str, lines: int = 6) -> str:
    """The begin of what a compiler says: the line with the error comes first."""
    every = text.splitlines()
    return text if len(every) <= lines + 1 else "\n".join([*every[:lines], "…"])


def _file_of(answer: object) -> str:
    """The file, or the notebook's cell, that a function is written in; '' for what is none."""
    while isinstance(answer, functools.partial):
        answer = answer.func
    if not callable(answer):
        return ""
    plain = inspect.isroutine(answer) or inspect.isclass(answer)
    function = inspect.unwrap(answer if plain else type(answer).__call__)
    code = getattr(function, "__code__", None)
    return code.co_filename if code else ""
