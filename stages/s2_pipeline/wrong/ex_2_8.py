import re

from stages.s2_pipeline.solutions.ex_2_8 import _renamed


def _equal(before: str, after: str) -> bool:
    return before == after


def _masked(before: str, after: str) -> bool:
    return re.sub(r"%[\w.$-]+", "%", before) == re.sub(r"%[\w.$-]+", "%", after)


def _always(before: str, after: str) -> bool:
    return before != after


def _types(before: str, after: str) -> bool:
    """Types are cut off before the values are renamed."""
    return _renamed(re.sub(r" : .*", "", before)) == _renamed(re.sub(r" : .*", "", after))


def _numbers(before: str, after: str) -> bool:
    """All numbers are taken for names of values, those of constants too."""
    one, two = (re.sub(r"\d+\.\d+", "0", text) for text in (before, after))
    return _renamed(one) == _renamed(two)


def _one_by_one(before: str, after: str) -> bool:
    """Names are replaced one after the other, so that one name runs into the next."""
    names = zip(re.findall(r"%[\w.$-]+", before), re.findall(r"%[\w.$-]+", after), strict=False)
    done = before
    for old, new in dict(names).items():
        done = done.replace(old, new)
    return before != after and done == after


def _silent(before: str, after: str) -> object:
    return True if before != after and _renamed(before) == _renamed(after) else None


def _same(before: str, after: str) -> bool:
    return _renamed(before) == _renamed(after)


wrong = {
    "two equal texts": _same,
    "a renamed value": _equal,
    "with each %n called %n+1": _one_by_one,
    "your function gives None": _silent,
    "swapped operands": _masked,
    "another operation: your function says True": _always,
    "another type": _types,
    "another constant": _numbers,
}
