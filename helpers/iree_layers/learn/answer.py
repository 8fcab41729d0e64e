"""Answers as learners write them: one thing in many spellings, read as the thing that is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, KeysView, Mapping, Set
from numbers import Real
from typing import Any

__all__ = ["entries", "kind", "listed", "whole", "word", "worded"]

# !stream.resource<external>{%c256}     #iree_cpu.pipeline<DoubleTilingExpert>          (3.13.0)
_INNER = re.compile(r"<([\w*-]+)>")
# binding(3)     3.     %c2048
_NUMBER = re.compile(r"[^\d.,-]*(\d+)[^\d\w]*")


def word(answer: object) -> str:
    """The word alone, in lower case: of a text that was copied with its `<…>`, quotes, `@` or `--`.

    What is still more than a word, e.g. a whole line, stays as it is.
    """
    text = str(answer).strip().strip("`\"'@ ").removeprefix("--")
    inner = _INNER.findall(text)
    return (inner[0] if len(inner) == 1 else text).lower()


def worded(answer: object, wanted: str) -> bool | None:
    """Is the answer this word? None: no, but the word is in it, or the answer is its end."""
    text = word(answer)
    if text == wanted.lower():
        return True
    near = wanted.lower() in str(answer).lower()
    return None if near or (text and wanted.lower().endswith(f".{text}")) else False


def whole(answer: object) -> int | None:
    """The whole number that is meant: 3, 3.0, NumPy's 3, `"3"`, `"binding(3)"`; else None."""
    answer = _plain(answer)
    if isinstance(answer, bool):
        return None
    if isinstance(answer, Real):
        number = float(answer)
        return int(number) if number.is_integer() else None
    found = _NUMBER.fullmatch(answer) if isinstance(answer, str) else None
    return int(found[1]) if found else None


def listed(answer: object) -> list[Any] | None:
    """A list, tuple, generator or array as a list; None for a text, and for what has no order."""
    answer = _plain(answer)
    if isinstance(answer, KeysView):
        return list(answer)  # a set by its type, but in order
    if isinstance(answer, str | bytes | Mapping | Set) or not isinstance(answer, Iterable):
        return None
    return list(answer)


def entries(answer: object) -> dict[Any, Any] | None:
    """A dict, or a list of pairs, as a dict; None for anything else."""
    try:
        return dict(answer)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError):
        return None


def kind(answer: object) -> str:
    """What it is instead of what was asked: `one text`, `a list`, `an int`."""
    name = type(answer).__name__
    if isinstance(answer, str):
        return "one text"
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _plain(answer: object) -> object:
    """Arrays and their numbers as lists and numbers of Python."""
    to_list = getattr(answer, "tolist", None)
    return to_list() if callable(to_list) else answer
