import re


def _equal(before: str, after: str) -> bool:
    return before == after


def _masked(before: str, after: str) -> bool:
    return re.sub(r"%[\w.$-]+", "%", before) == re.sub(r"%[\w.$-]+", "%", after)


def _always(before: str, after: str) -> bool:
    return True


def _types(before: str, after: str) -> bool:
    return re.sub(r": .*|%[\w.$-]+", "", before) == re.sub(r": .*|%[\w.$-]+", "", after)


def _digits(before: str, after: str) -> bool:
    return re.sub(r"\d+", "", before) == re.sub(r"\d+", "", after)


wrong = {
    "a renamed value": _equal,
    "swapped operands": _masked,
    "another operation": _always,
    "another type": _types,
    "another constant": _digits,
}
