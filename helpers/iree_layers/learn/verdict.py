"""Verdicts: what a check says about an answer; and TODO, the answer that is not there yet."""

from __future__ import annotations

import dis
import inspect
import textwrap
from dataclasses import dataclass
from html import escape
from types import CodeType
from typing import Any, NoReturn

__all__ = ["TODO", "Todo", "TodoUsed", "Verdict", "is_todo", "not_yet", "right", "shown", "wrong"]

_SIGN = {True: "✓", False: "✗", None: "○"}
_WORD = {True: "solved", False: "not right", None: "not solved yet"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. It is a value, never an exception: a notebook runs on after it."""

    solved: bool | None
    "True: right; False: wrong; None: not solved yet, there was no answer to check"
    expected: str = ""
    "what a right answer is like, in words; it need not give the answer away"
    found: str = ""
    "what the answer is, or what happened when it was used"
    look: str = ""
    "where to look next; while it is not solved yet, the task"
    exercise: str = ""
    "id of the exercise, e.g. `2.3`; `check` fills it in"
    title: str = ""
    "its title; `check` fills it in"

    def __bool__(self) -> bool:
        return self.solved is True

    def __str__(self) -> str:
        lines = [self._head()]
        lines += [f"  {name + ':':<9} {_indented(text)}" for name, text in self._parts()]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left;vertical-align:top'>{name}</th>"
            f"<td style='text-align:left;white-space:pre-wrap'>{escape(text)}</td></tr>"
            for name, text in self._parts()
        )
        table = f"<table>{rows}</table>" if rows else ""
        return (
            "<div style='border-left:4px solid currentColor;padding-left:0.7em'>"
            f"<b>{escape(self._head())}</b>{table}</div>"
        )

    def _head(self) -> str:
        name = " ".join(part for part in (self.exercise, self.title) if part)
        word = f"{_SIGN[self.solved]} {_WORD[self.solved]}"
        return f"{word} · {name}" if name else word

    def _parts(self) -> list[tuple[str, str]]:
        look = "task" if self.solved is None else "look at"
        parts = (("expected", self.expected), ("found", self.found), (look, self.look))
        return [(name, text) for name, text in parts if text]


def right(found: str = "", *, look: str = "") -> Verdict:
    """The answer is right; `look` may say what it is good for."""
    return Verdict(True, found=found, look=look)


def wrong(expected: str, found: object, *, look: str) -> Verdict:
    """The answer is wrong: all three parts are needed to learn from it.

    Args:
        expected: what a right answer is like, in words.
        found: a sentence, or the wrong value itself, which is shortened.
        look: where to look next.
    """
    return Verdict(False, expected, found if isinstance(found, str) else shown(found), look)


def not_yet(task: str = "") -> Verdict:
    """There is no answer yet; `task` says what to do."""
    return Verdict(None, look=task)


class TodoUsed(NotImplementedError):
    """A check used `TODO` as if it were an answer; it becomes "not solved yet"."""


class Todo:
    """The value of `TODO`: whatever a check does with it says that nobody has answered yet."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # a TODO in a set would be lost from sight

    def __repr__(self) -> str:
        return "TODO"

    def _refuse(self, *_: object) -> NoReturn:
        raise TodoUsed("TODO is not an answer yet")

    def __getattr__(self, name: str) -> NoReturn:
        # IPython asks every value for `_repr_html_` and the like; it must hear "no such thing".
        if name.startswith("_"):
            raise AttributeError(name)
        self._refuse()

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __len__ = __iter__ = __contains__ = __getitem__ = __call__ = _refuse
    __int__ = __float__ = __index__ = __str__ = __format__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse


TODO: Any = Todo()
"""Stands for an answer in a cell. `...` and `None` mean the same to `check`."""


def is_todo(answer: object) -> bool:
    """Is there no answer yet?

    True for `TODO`, `...` and None; for a text with the word TODO in it; for a list, tuple or
    dict that still holds a `TODO`; for a function without a body.
    """
    if answer is None or answer is ... or isinstance(answer, Todo):
        return True
    if isinstance(answer, str):
        return "TODO" in answer
    if isinstance(answer, dict):
        answer = list(answer.values())
    if isinstance(answer, list | tuple):
        return any(isinstance(part, Todo) or part is ... for part in answer)
    return inspect.isfunction(answer) and _without_body(answer.__code__)


def shown(value: object, *, limit: int = 200) -> str:
    """The value's repr on one line, at most `limit` characters; a repr that raises is named."""
    try:
        text = " ".join(repr(value).split())
    except Exception as error:
        return f"a {type(value).__name__} whose repr raises {type(error).__name__}"
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def _without_body(code: CodeType) -> bool:
    """Is it the code of a function whose body is only a docstring, `...` or `pass`?"""
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("RESUME", "NOP")]
    returned = [step.argval for step in steps if step.opname in ("LOAD_CONST", "RETURN_CONST")]
    others = {step.opname for step in steps} - {"LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}
    return not others and returned == [None]


def _indented(text: str) -> str:
    """Lines of one part under each other; long ones are broken, so that no screen cuts them."""
    lines = [
        piece
        for line in text.splitlines()
        for piece in textwrap.wrap(line, 110, drop_whitespace=False, replace_whitespace=False)
        or [""]
    ]
    return ("\n" + " " * 12).join(lines)
