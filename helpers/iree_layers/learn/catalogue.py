"""All stages of the workbook, and the exercise or question that an id names."""

from __future__ import annotations

import difflib

from ..errors import LayersError
from .loading import open_stages
from .manifest import Exercise, Question, Stage, read_stage
from .paths import stages_folder
from .verdict import shown

__all__ = ["find_exercise", "find_question", "stage", "stages"]


def stages() -> tuple[Stage, ...]:
    """All stages of the workbook, in order.

    Raises:
        LayersError: the folder `stages/` was not found.
        ExerciseError: a stage.toml is wrong.
    """
    manifests = stages_folder().glob("s[0-9]*_*/stage.toml")
    return tuple(sorted((read_stage(path.parent) for path in manifests), key=lambda s: s.number))


def stage(name: int | str) -> Stage:
    """The stage of a name such as `2`, `"s2"` or `"s2_pipeline"`.

    From now on its code can be imported: `from stages.s2_pipeline.digits import …`.

    Raises:
        LayersError: there is no such stage; the message has all names.
    """
    for one in stages():
        if str(name) in (str(one.number), f"s{one.number}", one.name):
            open_stages(one.path.parent)
            return one
    known = ", ".join(one.name for one in stages())
    raise LayersError(f"there is no stage {name!r}", expected=f"one of {known}")


def find_exercise(id: str) -> tuple[Stage, Exercise]:
    """The exercise with this id, and its stage.

    Raises:
        LayersError: there is none; the message has the nearest id and all of the stage.
    """
    _must_be_text(id)
    every = {entry.id: (one, entry) for one in stages() for entry in one.exercises}
    if id in every:
        return every[id]
    if id in {entry.id for one in stages() for entry in one.questions}:
        raise LayersError(f"{id} is a question, not an exercise", todo=f'predict("{id}", guess)')
    raise _unknown("exercise", id, list(every))


def find_question(id: str) -> tuple[Stage, Question]:
    """The question with this id, and its stage.

    Raises:
        LayersError: there is none; the message has the nearest id and all of the stage.
    """
    _must_be_text(id)
    every = {entry.id: (one, entry) for one in stages() for entry in one.questions}
    if id in every:
        return every[id]
    if id in {entry.id for one in stages() for entry in one.exercises}:
        raise LayersError(f"{id} is an exercise, not a question", todo=f'check("{id}", answer)')
    raise _unknown("question", id, list(every))


def _must_be_text(id: object) -> None:
    """Not even 2.1: as a number it would be the same as 2.10."""
    if not isinstance(id, str):
        raise LayersError(f"{shown(id)} is no id", expected='a text, and it comes first: "2.1"')


def _unknown(noun: str, id: object, every: list[str]) -> LayersError:
    same = [known for known in every if known.split(".")[0] == str(id).split(".")[0]]
    near = difflib.get_close_matches(str(id), every, n=1, cutoff=0.5)
    return LayersError(
        f"there is no {noun} {id!r}",
        expected=f"one of {', '.join(same or every)}" if every else "",
        todo=f"did you mean {near[0]!r}?" if near else "",
    )
