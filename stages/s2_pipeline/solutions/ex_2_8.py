"""Rename the values in order of appearance: then equal texts are equal programs."""

import re


def _renamed(text: str) -> str:
    names: dict[str, str] = {}
    return re.sub(r"%[\w.$-]+", lambda m: names.setdefault(m[0], f"%{len(names)}"), text)


def answer(before: str, after: str) -> bool:
    return before != after and _renamed(before) == _renamed(after)
