"""Rows of the first, columns of the second, and the sizes between them must be equal."""

from collections.abc import Sequence


def answer(shapes: Sequence[list[int]]) -> list[int]:
    (rows, inner), (also_inner, columns) = shapes
    if inner != also_inner:
        raise ValueError(f"toy.matmul: {inner} against {also_inner}")
    return [rows, columns]
