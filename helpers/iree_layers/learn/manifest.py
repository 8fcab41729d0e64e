"""Stages and their exercises, as `stages/<stage>/stage.toml` lists them.

One folder holds all of a stage:

    stages/s2_pipeline/
      stage.toml            title, items of the study plan, exercises, questions
      checks.py             check_2_3(answer, …) -> Verdict, answer_2_q1(…) -> value, CONTEXT
      exercises/ex_2_3.py   `answer = …` to start from; may be missing: then it is `TODO`
      solutions/ex_2_3.py   `answer = …`; the file's text is what `solution("2.3")` shows
      wrong/ex_2_3.py       `wrong = {"what the verdict must say": answer, …}`
      *.py, *.mlir          the stage's programs; code imports them as `stages.s2_pipeline.name`

and stage.toml reads

    title = "The whole pipeline"
    items = ["2.1", "2.2", "2.3"]

    [[exercise]]
    id = "2.3"                      # stage number, dot, running number
    item = "2.1"                    # the item of the study plan that it checks
    title = "Count the dispatches"
    kind = "value"                  # or "text" (IR) or "function"
    prompt = "How many dispatches does the program launch?"
    hints = ["Look at the border of flow.", "Count `flow.dispatch`."]

    [[question]]
    id = "2.q1"
    title = "How many snapshots?"
    prompt = "Guess how many times the compiler prints the IR."
    look = "trace.dump"             # where the answer is, shown after the guess

A check takes the answer, and by keyword what it needs of the learner's run: the notebook passes
`check("2.3", answer, trace=trace)`, and what it does not pass is made by `CONTEXT`, a dict
`{"trace": function without arguments}` in checks.py, once in a session. So do the functions
`answer_2_q1(*, trace)`, and in exercises/, solutions/ and wrong/ a function `answer_for(*, trace)`
or `wrong_for(*, trace)` may stand in place of `answer` or `wrong` where values depend on the run.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from ..errors import ExerciseError

__all__ = ["Exercise", "Kind", "Question", "Stage", "read_stage"]

Kind = Literal["value", "text", "function"]


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: the learner gives an answer, a check gives a verdict."""

    id: str
    "e.g. `2.3`: number of the stage, dot, running number"
    item: str
    "item of the study plan that it checks, e.g. `2.1`"
    title: str
    kind: Kind
    "what an answer is: any value, a text (IR), or a function"
    prompt: str
    "the task in a sentence"
    hints: tuple[str, ...]
    "from gentle to nearly the answer; at least one"
    look: str = ""
    "where the answer comes from, shown when it is right"

    @property
    def key(self) -> str:
        """The id as names of functions and files have it: `2_3`."""
        return self.id.replace(".", "_")


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to guess before the learner's own run answers it."""

    id: str
    "e.g. `2.q1`"
    title: str
    prompt: str
    "what to guess, in a sentence"
    look: str = ""
    "where the answer is, shown after a guess"
    choices: tuple[str, ...] = ()
    "what a guess can be; empty: anything of the right kind"

    @property
    def key(self) -> str:
        """The id as names of functions have it: `2_q1`."""
        return self.id.replace(".", "_")


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the workbook, as its stage.toml says."""

    path: Path
    number: int
    "0 to 8, from the folder's name"
    title: str
    items: tuple[str, ...]
    "items of the study plan, e.g. `2.1`"
    exercises: tuple[Exercise, ...]
    questions: tuple[Question, ...]

    @property
    def name(self) -> str:
        """Name of the folder, and of the notebook: `s2_pipeline`."""
        return self.path.name

    @property
    def entries(self) -> tuple[Exercise | Question, ...]:
        """All exercises, then all questions."""
        return (*self.exercises, *self.questions)

    def __str__(self) -> str:
        counts = f"{len(self.exercises)} exercises, {len(self.questions)} questions"
        return f"Stage {self.number} · {self.title} · items {', '.join(self.items)} · {counts}"

    __repr__ = __str__


def read_stage(folder: Path) -> Stage:
    """The stage in `folder`, from its stage.toml.

    Raises:
        ExerciseError: the file is missing, is not TOML, or an entry is wrong: which, and why.
    """
    path = folder / "stage.toml"
    named = re.fullmatch(r"s(\d+)_[a-z0-9_]+", folder.name)
    if named is None:
        raise ExerciseError(f"the stage folder {folder.name!r}", expected="a name like s2_pipeline")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ExerciseError(f"{path} cannot be read: {error}", expected="TOML") from error
    where = f"{folder.name}/stage.toml"
    number = int(named[1])
    _keys(data, where, need={"title": str, "items": list}, may={"exercise": list, "question": list})
    made = Stage(
        path=folder,
        number=number,
        title=data["title"],
        items=tuple(data["items"]),
        exercises=tuple(_exercise(entry, where) for entry in data.get("exercise", [])),
        questions=tuple(_question(entry, where) for entry in data.get("question", [])),
    )
    _check_ids(made, where)
    return made


def _exercise(entry: Mapping[str, Any], where: str) -> Exercise:
    where = f"{where}, exercise {entry.get('id', '?')}"
    need = {"id": str, "item": str, "title": str, "kind": str, "prompt": str, "hints": list}
    _keys(entry, where, need=need, may={"look": str})
    if entry["kind"] not in get_args(Kind):
        raise ExerciseError(f"{where}: kind {entry['kind']!r}", expected=", ".join(get_args(Kind)))
    if not all(isinstance(text, str) and text.strip() for text in entry["hints"]):
        raise ExerciseError(f"{where}: an empty hint", expected="hints that are texts")
    return Exercise(**{**entry, "hints": tuple(entry["hints"])})


def _question(entry: Mapping[str, Any], where: str) -> Question:
    where = f"{where}, question {entry.get('id', '?')}"
    need = {"id": str, "title": str, "prompt": str}
    _keys(entry, where, need=need, may={"look": str, "choices": list})
    choices = tuple(entry.get("choices", ()))
    if not all(isinstance(choice, str) for choice in choices):
        raise ExerciseError(f"{where}: choices {choices}", expected="texts")
    return Question(**{**entry, "choices": choices})


def _keys(
    entry: Mapping[str, Any], where: str, *, need: Mapping[str, type], may: Mapping[str, type]
) -> None:
    """All that is needed is there, is not empty and has its type, and nothing else is."""
    every = {**need, **may}
    for name, value in entry.items():
        if name not in every:
            raise ExerciseError(f"{where}: unknown key {name!r}", expected=", ".join(every))
        if not isinstance(value, every[name]) or not value:
            raise ExerciseError(
                f"{where}: {name} is {value!r}", expected=f"a non-empty {every[name].__name__}"
            )
    missing = [name for name in need if name not in entry]
    if missing:
        raise ExerciseError(f"{where}: no {', '.join(missing)}", expected=", ".join(need))


def _check_ids(made: Stage, where: str) -> None:
    """Ids carry the stage's number, are all different, and items are the stage's own."""
    forms = [(entry.id, rf"{made.number}\.\d+") for entry in made.exercises]
    forms += [(entry.id, rf"{made.number}\.q\d+") for entry in made.questions]
    for id, form in forms:
        if not re.fullmatch(form, id):
            raise ExerciseError(f"{where}: id {id!r}", expected=f"an id of the form {form}")
    ids = [id for id, _ in forms]
    twice = sorted({id for id in ids if ids.count(id) > 1})
    if twice:
        raise ExerciseError(f"{where}: {', '.join(twice)} is there twice", expected="unique ids")
    for entry in made.exercises:
        if entry.item not in made.items:
            raise ExerciseError(
                f"{where}, exercise {entry.id}: item {entry.item!r}",
                expected=f"one of the stage's items {', '.join(made.items)}",
            )
