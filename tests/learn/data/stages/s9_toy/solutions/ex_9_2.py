"""One more than x."""


def answer(x: int) -> int:
    return x + 1
