from collections.abc import Sequence


def _first(shapes: Sequence[list[int]]) -> list[int]:
    return shapes[0]


def _unchecked(shapes: Sequence[list[int]]) -> list[int]:
    return [shapes[0][0], shapes[1][1]]


def _turned(shapes: Sequence[list[int]]) -> list[int]:
    return [shapes[1][1], shapes[0][0]]


wrong = {
    "of the first, [2, 3]": _first,
    "an answer": _unchecked,
    "turned round": _turned,
}
