from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.learn import TODO
from iree_layers.learn.answer import entries, kind, listed, whole, word, worded
from iree_layers.learn.verdict import TodoUsed


@pytest.mark.parametrize(
    ("answer", "alone"),
    [
        (" external\n", "external"),
        ("!stream.resource<external>{%c256}", "external"),
        (
            "#translation = #x.info<pipeline = #iree_cpu.pipeline<DoubleTiling>, {peel}>",
            "doubletiling",
        ),
        ("@hal.buffer_view.create", "hal.buffer_view.create"),
        ("'--iree-x'", "iree-x"),
        ("<a> or <b>", "<a> or <b>"),
        (
            "hal.buffer_view.buffer<%arg0 : !hal.buffer>",
            "hal.buffer_view.buffer<%arg0 : !hal.buffer>",
        ),
        (3, "3"),
    ],
)
def test_the_word_alone(answer: object, alone: str) -> None:
    assert word(answer) == alone


@pytest.mark.parametrize(
    ("answer", "same"),
    [
        ("HAL.Tensor.Export", True),
        ('hal.tensor.export %7 "output0"', None),
        ("export", None),
        ("tensor.export", None),
        ("port", False),
        ("hal.tensor.import", False),
        ("", False),
        (7, False),
    ],
)
def test_the_same_word_or_one_that_is_near(answer: object, same: bool | None) -> None:
    assert worded(answer, "hal.tensor.export") is same


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        (3, 3),
        (3.0, 3),
        (np.int32(3), 3),
        (np.array(3), 3),
        (" 3 ", 3),
        ("binding(3)", 3),
        ("3.", 3),
        (3.5, None),
        ("3.5", None),
        ("-3", None),
        ("3 of 4", None),
        ("3 bytes", None),
        ("", None),
        (True, None),
        (float("nan"), None),
        (float("inf"), None),
        ([3], None),
        (None, None),
    ],
)
def test_whole_numbers(answer: object, number: int | None) -> None:
    assert whole(answer) == number


@given(st.integers(min_value=0))
def test_every_count_is_read_from_its_text(number: int) -> None:
    assert whole(str(number)) == number


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        ((1, 2), [1, 2]),
        (iter("ab"), ["a", "b"]),
        (np.array(["a", "b"]), ["a", "b"]),
        ({"a": 1, "b": 2}.keys(), ["a", "b"]),
        ("ab", None),
        (b"ab", None),
        ({"a", "b"}, None),
        ({"a": 1}, None),
        (3, None),
    ],
)
def test_what_has_an_order_is_a_list(answer: object, items: list[object] | None) -> None:
    assert listed(answer) == items


@pytest.mark.parametrize(
    ("answer", "made"),
    [
        ({"a": 1}, {"a": 1}),
        ([("a", 1)], {"a": 1}),
        ((pair for pair in [("a", 1)]), {"a": 1}),
        (["abc"], None),
        ([1], None),
        ([[[], 1]], None),
        (3, None),
    ],
)
def test_pairs_are_a_dict(answer: object, made: dict[str, int] | None) -> None:
    assert entries(answer) == made


@pytest.mark.parametrize("read", [listed, entries, whole])
def test_no_answer_stays_no_answer(read: object) -> None:
    assert callable(read)
    with pytest.raises(TodoUsed):
        read(TODO)


def test_kinds_in_words() -> None:
    assert (kind("x"), kind([]), kind(3)) == ("one text", "a list", "an int")
