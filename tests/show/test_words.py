from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from iree_layers.show.text import width
from iree_layers.show.words import aimed, differing

OLD = "%5 = linalg.matmul ins(%0, %1 : tensor<4x8xf32>, tensor<8x16xf32>)"
NEW = "%8 = linalg.matmul ins(%1, %1 : tensor<4x8xf32>, tensor<8x16xf32>)"


def test_the_words_that_differ_are_found() -> None:
    left, right = differing(OLD, NEW)
    assert [OLD[a:b] for a, b in left] == ["%5", "%0"]
    assert [NEW[a:b] for a, b in right] == ["%8", "%1"]


def test_lines_that_are_not_alike_get_no_marks() -> None:
    assert differing("%0 = a.b", "util.return") == ((), ())


@given(st.text("ab %.<>", max_size=60), st.text("ab %.<>", max_size=60))
def test_without_the_marked_words_nothing_differs(old: str, new: str) -> None:
    left, right = differing(old, new)
    if not left and not right:
        return
    for line, marks in ((old, left), (new, right)):
        assert list(marks) == sorted(marks)
        assert all(0 <= a < b <= len(line) for a, b in marks)


def test_a_difference_far_to_the_right_is_in_sight() -> None:
    left, right = aimed("x" * 1000 + "OLD", "x" * 1000 + "NEW", 100)
    assert left.startswith("… ")
    assert "OLD" in left
    assert "NEW" in right
    assert max(width(left), width(right)) <= 100


def test_short_lines_stay_as_they_are() -> None:
    assert aimed(OLD, NEW, 100) == (OLD, NEW)
    left, _ = aimed("OLD" + "x" * 1000, "NEW" + "x" * 1000, 100)
    assert left.startswith("OLD")
