"""Hints, one at a time, and the solution: both folded in the notebook until you open them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from ..errors import ExerciseError, LayersError
from .catalogue import find_exercise
from .progress import record

__all__ = ["Hint", "Solution", "hint", "solution"]

_shown: dict[str, int] = {}
"""Number of the last hint that this process has shown, by exercise."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint of an exercise."""

    exercise: str
    number: int
    "counted from 1"
    of: int
    "how many hints the exercise has"
    text: str

    def __str__(self) -> str:
        end = f'\nThat was the last hint; there is solution("{self.exercise}").'
        return f"{self._head()}: {self.text}{end if self.number == self.of else ''}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _folded(self._head(), f"<p>{escape(self.text)}</p>")

    def _head(self) -> str:
        return f"hint {self.number} of {self.of} for {self.exercise}"


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of an exercise, as the text of a Python file that says why."""

    exercise: str
    text: str

    def __str__(self) -> str:
        return f"solution of {self.exercise}\n{self.text}"

    def __repr__(self) -> str:
        return f'solution of {self.exercise}, folded: print(solution("{self.exercise}")) unfolds it'

    def _repr_html_(self) -> str:
        return _folded(f"solution of {self.exercise}", f"<pre>{escape(self.text)}</pre>")


def hint(id: str, number: int | None = None) -> Hint:
    """The next hint of an exercise: the first, then the second, …; after the last, the last again.

    Args:
        id: the exercise, e.g. `"2.3"`.
        number: which hint, counted from 1; by default the next one of this session.

    Raises:
        LayersError: no such exercise, or it has fewer hints.
    """
    stage, exercise = find_exercise(id)
    count = len(exercise.hints)
    chosen = min(_shown.get(id, 0) + 1, count) if number is None else number
    if not 1 <= chosen <= count:
        raise LayersError(f"{id} has no hint {chosen}", expected=f"a number from 1 to {count}")
    _shown[id] = chosen
    record(stage, id, hints=chosen)
    return Hint(id, chosen, count, exercise.hints[chosen - 1])


def solution(id: str) -> Solution:
    """The solution of an exercise, folded: try the hints first.

    Raises:
        LayersError: no exercise has this id.
    """
    stage, exercise = find_exercise(id)
    path = stage.path / "solutions" / f"ex_{exercise.key}.py"
    if not path.is_file():
        raise ExerciseError(f"{stage.name} has no solution of {id}", expected=str(path))
    record(stage, id, solution=True)
    return Solution(id, path.read_text(encoding="utf-8").strip())


def _folded(head: str, body: str) -> str:
    return f"<details><summary>{escape(head)}</summary>{body}</details>"
