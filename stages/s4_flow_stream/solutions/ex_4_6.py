"""Below the value that is still alive if there is room, else right behind it."""

from collections.abc import Sequence


def answer(sizes: Sequence[int]) -> int:
    end, place, length = 0, 0, 0
    for size in sizes:
        place = 0 if size <= place else place + length
        length = size
        end = max(end, place + length)
    return end
