"""Predict, then reveal: your guess beside what your own run says, and how far off it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from math import isfinite
from numbers import Integral, Real

from ..errors import LayersError
from .catalogue import find_question
from .loading import function_of, needs
from .manifest import Question, Stage
from .progress import record
from .verdict import is_todo, shown

__all__ = ["Revealed", "distance", "predict"]


@dataclass(frozen=True, slots=True)
class Revealed:
    """A question with a guess and, once there is a guess, the answer."""

    question: Question
    guess: str
    "the guess as text, '' if there was none"
    answer: str
    "what the run says, as text; '' while there is no guess"
    off: str
    "how far off the guess was, in words; '' if it was right; what to guess, if it was no guess"

    @property
    def right(self) -> bool | None:
        """Was the guess right? None while there is none."""
        return None if not self.answer else not self.off

    def __str__(self) -> str:
        head = f"{self.question.id} {self.question.title}"
        if self.right is None:
            note = f"\n  {self.off}" if self.off else ""
            return f"○ guess first · {head}\n  {self.question.prompt}{note}"
        lines = [f"{'✓' if self.right else '≠'} {self.off or 'as you said'} · {head}"]
        lines += [f"  your guess: {self.guess}", f"  your run:   {self.answer}"]
        if self.question.look:
            lines.append(f"  look at:    {self.question.look}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        style = "border-left:4px solid currentColor;padding-left:0.7em"
        style += ";white-space:pre-wrap;word-break:normal"
        return f"<pre style='{style}'>{escape(str(self))}</pre>"


def predict(id: str, guess: object = None, **given: object) -> Revealed:
    """Compare a guess with the answer that your own run gives; without a guess nothing is revealed.

    Args:
        id: the question, e.g. `"2.q1"`.
        guess: a number, text, truth value, set, sequence or dict, as the question asks.
        given: your run, e.g. `trace=trace`; what is not given, the stage makes itself.

    Raises:
        LayersError: no question has this id; or what was given is not a run that answers it.
    """
    stage, question = find_question(id)
    if is_todo(guess):
        return Revealed(question, "", "", "")
    guess = _plain(guess)
    if problem := _no_choice(guess, question):
        return Revealed(question, shown(guess), "", problem)
    answer = _answer(stage, question, given)
    if isinstance(guess, str) and isinstance(answer, Set):
        guess = set(re.findall(r"[^\s,;]+", guess))
    if problem := _other_kind(guess, answer):
        return Revealed(question, shown(guess), "", problem)
    off = distance(guess, answer)
    record(stage, id, right=not off)
    return Revealed(question, shown(guess), shown(answer), off)


def _answer(stage: Stage, question: Question, given: Mapping[str, object]) -> object:
    """What the run says; what was given for it may be anything."""
    function = function_of(stage, question)
    values = needs(function, stage=stage, given=given)
    mine = [f"{name}={shown(given[name], limit=60)}" for name in values if name in given]
    try:
        return function(**values)
    except Exception as error:
        if not mine:
            raise
        raise LayersError(
            f"{question.id} has no answer in {', '.join(mine)}: {type(error).__name__}: {error}",
            expected="the run that the notebook makes above the question",
            todo="run its cells from the top, or leave the argument out",
        ) from error


def distance(guess: object, answer: object) -> str:
    """How far a guess is from the answer, in words; '' if they agree."""
    if isinstance(guess, bool) or isinstance(answer, bool):
        return "" if guess is answer else "the other way round"
    if isinstance(answer, Real) and isinstance(guess, Real):
        return _numbers(float(guess), float(answer))
    if isinstance(answer, str) and isinstance(guess, str):
        return "" if guess.strip().lower() == answer.strip().lower() else "something else"
    if isinstance(answer, Set) and isinstance(guess, Set | Sequence) and not isinstance(guess, str):
        return _sets(set(guess), set(answer))
    if isinstance(answer, Mapping) and isinstance(guess, Mapping):
        return _mappings(guess, answer)
    if isinstance(answer, Sequence) and isinstance(guess, Sequence):
        return _sequences(guess, answer)
    return f"a guess of type {type(guess).__name__}, the answer is a {type(answer).__name__}"


def _other_kind(guess: object, answer: object) -> str:
    """What to guess instead, if a guess cannot be compared; then nothing is revealed."""
    kinds = ((bool, "True or False"), (Integral, "a whole number"), (Real, "a number"))
    more = ((str, "a text"), (Mapping, "a dict"), (Set, "a set of names"), (Sequence, "a list"))
    for kind, words in (*kinds, *more):
        if isinstance(answer, kind):
            return "" if _fits(guess, kind, answer) else f"give {words}, not {shown(guess)}"
    return ""


def _fits(guess: object, kind: type, answer: object) -> bool:
    if kind is Integral:
        return _is_number(guess) and float(guess).is_integer()  # type: ignore[arg-type]
    if kind is Real:
        return _is_number(guess)
    if kind is Set and isinstance(guess, Set | Sequence):
        return all(isinstance(name, str) for name in guess) or not _has_names(answer)
    if kind is Sequence and isinstance(guess, str):
        return False
    return isinstance(guess, kind)


def _is_number(guess: object) -> bool:
    return isinstance(guess, Real) and not isinstance(guess, bool) and isfinite(guess)


def _has_names(answer: object) -> bool:
    return isinstance(answer, Set) and all(isinstance(name, str) for name in answer)


def _plain(guess: object) -> object:
    """An array, or a number of NumPy, as a list or number; what can be read once only as a list."""
    to_list = getattr(guess, "tolist", None)
    if callable(to_list):
        return to_list()
    return list(guess) if isinstance(guess, Iterator) else guess


def _no_choice(guess: object, question: Question) -> str:
    """What can be guessed, if a guess is none of it."""
    if not question.choices or (
        isinstance(guess, str) and guess.strip().lower() in question.choices
    ):
        return ""
    return f"give one of {', '.join(question.choices)}; {shown(guess)} is none of them"


def _numbers(guess: float, answer: float) -> str:
    if guess == answer:
        return ""
    gap = f"{abs(guess - answer):g} too {'few' if guess < answer else 'many'}"
    if guess * answer <= 0:
        return gap
    ratio = max(abs(guess / answer), abs(answer / guess))
    return f"{gap}, off by a factor of {ratio:.2g}" if ratio < 100 else f"{gap}, far off"


def _sets(guess: set[object], answer: set[object]) -> str:
    parts = []
    if answer - guess:
        parts.append(f"missing: {', '.join(sorted(map(str, answer - guess)))}")
    if guess - answer:
        parts.append(f"not there: {', '.join(sorted(map(str, guess - answer)))}")
    return "; ".join(parts)


def _sequences(guess: Sequence[object], answer: Sequence[object]) -> str:
    for place, (mine, real) in enumerate(zip(guess, answer, strict=False), start=1):
        if mine != real:
            return f"place {place} is {shown(real)}, not {shown(mine)}"
    if len(guess) != len(answer):
        return f"{len(answer)} in all, not {len(guess)}"
    return ""


def _mappings(guess: Mapping[object, object], answer: Mapping[object, object]) -> str:
    parts = [
        f"{key}: {distance(guess[key], real)}"
        for key, real in answer.items()
        if key in guess and distance(guess[key], real)
    ]
    keys = _sets(set(guess), set(answer))
    return "; ".join([*parts, *([keys] if keys else [])])
