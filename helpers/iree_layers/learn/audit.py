"""Does a stage keep its promises? The workbook's own tests ask these functions.

Each gives problems, one line each, and says what to do; nothing is recorded as progress.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..errors import ExerciseError
from .exercise import judge, verdict_on
from .ipynb import read
from .loading import answer_of, function_of, needs, stage_module, wrong_of
from .manifest import Exercise, Question, Stage
from .question import distance
from .rules import code_cells, is_ignored
from .script import Notebook
from .verdict import TODO, is_todo

__all__ = [
    "files",
    "is_learners",
    "mentions",
    "question",
    "solution",
    "stub",
    "titles",
    "wrong_answers",
]

# check("2.3", count, trace=t)  ·  predict("2.q1", TODO)
_MENTION = re.compile(r"\b(check|predict)\(\s*[\"']([^\"']+)[\"']")
# progress()
_LEARNERS = re.compile(r"\b(?:check|predict|progress|reset)\(")


def stub(stage: Stage, exercise: Exercise) -> Iterator[str]:
    """What an exercise starts from is "not solved yet", so is TODO, and it is not the answer."""
    start = answer_of(stage, exercise, "exercises")
    for answer in (start, TODO):
        verdict = verdict_on(stage, exercise, answer)
        if verdict.solved is not None:
            yield f"{exercise.id}: the stub should be not solved yet, but is:\n{verdict}"
    if not is_todo(start) and judge(stage, exercise, start).solved:
        yield f"{exercise.id}: the stub is the answer already"


def solution(stage: Stage, exercise: Exercise) -> Iterator[str]:
    """The solution is right, and says why in a docstring or comment."""
    verdict = verdict_on(stage, exercise, answer_of(stage, exercise, "solutions"))
    if not verdict.solved:
        yield f"{exercise.id}: the solution should be right, but is:\n{verdict}"
    module = stage_module(stage, f"solutions.ex_{exercise.key}")
    if module is not None and not (module.__doc__ or "").strip():
        yield f"{exercise.id}: the solution has no docstring that says why it is right"


def wrong_answers(stage: Stage, exercise: Exercise) -> Iterator[str]:
    """Every wrong answer is wrong for its own reason: its verdict says that one and no other."""
    wrong = wrong_of(stage, exercise)
    for reason, answer in wrong.items():
        verdict = verdict_on(stage, exercise, answer)
        text = f"{verdict.expected}\n{verdict.found}\n{verdict.look}"
        said = [other for other in wrong if other in text]
        if verdict.solved is not False:
            yield f"{exercise.id}: wrong answer {reason!r} should be rejected, but is:\n{verdict}"
        elif said != [reason]:
            yield f"{exercise.id}: should say {reason!r} alone, but says {said}:\n{verdict}"
        elif not (verdict.expected and verdict.found and verdict.look):
            yield f"{exercise.id}: {reason!r}: expected, found or look is empty:\n{verdict}"


def question(stage: Stage, question: Question) -> Iterator[str]:
    """A run answers the question, the answer as guess is right, and other guesses are not."""
    function = function_of(stage, question)
    answer = function(**needs(function, stage=stage, given={}))
    if is_todo(answer):
        yield f"{question.id}: the run's answer is {answer!r}"
    elif distance(answer, answer):
        yield f"{question.id}: the answer itself is not right: {distance(answer, answer)}"
    elif not distance(object(), answer):
        yield f"{question.id}: any guess is right"


def files(stage: Stage) -> Iterator[str]:
    """No file and no function is left over from an exercise that is gone."""
    keys = {exercise.key for exercise in stage.exercises}
    for tree in ("exercises", "solutions", "wrong"):
        for path in sorted((stage.path / tree).glob("*")):
            if path.suffix == ".py" and path.stem.removeprefix("ex_") not in keys:
                yield f"{stage.name}/{tree}/{path.name} belongs to no exercise of stage.toml"
    checks = stage_module(stage, "checks")
    known = {f"check_{key}" for key in keys} | {f"answer_{one.key}" for one in stage.questions}
    for name in sorted(vars(checks) if checks else ()):
        if re.match(r"(?:check|answer)_\d", name) and name not in known:
            yield f"{stage.name}/checks.py: {name} belongs to no entry of stage.toml"


def titles(stage: Stage) -> Iterator[str]:
    """Titles are unique and short, and every item of the study plan has an exercise."""
    named = [entry.title for entry in stage.entries]
    for title in sorted(set(named)):
        if named.count(title) > 1:
            yield f"{stage.name}: the title {title!r} is there twice"
        if len(title) > 50:
            yield f"{stage.name}: the title {title!r} has more than 50 characters"
    if stage.exercises:
        for item in stage.items:
            if item not in {exercise.item for exercise in stage.exercises}:
                yield f"{stage.name}: no exercise checks item {item}"


def is_learners(cell: Notebook) -> bool:
    """Does the cell show what depends on the learner's answers?"""
    return _LEARNERS.search(cell["source"]) is not None


def mentions(stage: Stage, notebook: Path) -> Iterator[str]:
    """The notebook asks every exercise and question, without an answer, in cells not compared.

    Not compared, because a learner's answer changes the output and must not turn nbval red.

    Raises:
        ExerciseError: there is no such notebook.
    """
    if not notebook.is_file():
        raise ExerciseError(f"stage {stage.name} has no notebook", expected=str(notebook))
    known = {exercise.id: "check" for exercise in stage.exercises}
    known |= {question.id: "predict" for question in stage.questions}
    asked: set[str] = set()
    for cell in code_cells(read(notebook)):
        if is_learners(cell) and not is_ignored(cell):
            first = cell["source"].split("\n")[0]
            yield f"{notebook.name}: the cell {first!r} needs the tag nbval-ignore-output"
        for verb, id in _MENTION.findall(cell["source"]):
            asked.add(id)
            if known.get(id) != verb:
                yield f'{notebook.name}: {verb}("{id}") is not in {stage.name}/stage.toml'
            shown = str([output.get("data", output.get("text")) for output in cell["outputs"]])
            if "not solved yet" not in shown and "guess first" not in shown:
                yield f"{notebook.name}: {id} is stored with an answer"
    for id in known:
        if id not in asked:
            yield f'{notebook.name}: {known[id]}("{id}", …) is in no code cell'
