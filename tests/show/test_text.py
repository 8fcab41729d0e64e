from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.show.text import COLUMNS, LINES, count, cut, fit, pad, table, visible, width

anything = st.text(st.characters(), max_size=400)


@given(anything)
def test_nothing_hidden_is_left_in_a_visible_line(text: str) -> None:
    shown = visible(text)
    assert shown == visible(shown)
    shown.encode()
    assert not set(shown) & {chr(c) for c in (*range(32), 0x7F, 0x9B, 0x202E, 0x2066, 0x200B)}


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31m", "␛[31m"),
        ("a\x00b", "a␀b"),
        ("\x7f", "␡"),
        ("\u202ecba", "⟨U+202E⟩cba"),
        ("\ud800", "⟨U+D800⟩"),
        ("\u2028", "⟨U+2028⟩"),
        ("\tx", "    x"),
        ("张量 é", "张量 é"),
    ],
)
def test_hostile_characters_get_a_picture_or_a_number(hostile: str, shown: str) -> None:
    assert visible(hostile) == shown


@given(anything, st.integers(20, 200))
def test_a_cut_line_fits(text: str, columns: int) -> None:
    assert width(cut(text, columns)) <= columns
    assert width(cut(text, columns, say=False)) <= columns


def test_a_cut_line_says_exactly_how_much_is_missing() -> None:
    assert cut("x" * 100, 20) == "x" * 10 + "… 90 more"
    long = cut("x" * 5_000_000, 150)
    kept = long.index("…")
    assert long == "x" * kept + f"… {5_000_000 - kept:,} more"
    # A character that takes ten columns when made visible is one of those missing.
    assert cut("\u202e" * 10, 40).endswith("… 7 more")


def test_a_line_that_fits_is_not_cut() -> None:
    assert cut("x" * 150) == "x" * 150
    assert cut("", 5) == ""


def test_many_marks_on_one_letter_are_cut() -> None:
    assert len(cut("a" + "\u0301" * 100_000, 150)) <= 400


def test_chinese_takes_two_columns() -> None:
    assert width("方言 ab") == 7
    assert pad("方言", 6) == "方言  "
    assert width(cut("方" * 100, 31)) <= 31


def test_text_that_is_too_long_says_how_many_lines_are_missing() -> None:
    lines = fit(str(k) for k in range(100))
    assert len(lines) == LINES
    assert lines[-1] == "… 61 more lines"
    assert fit(map(str, range(LINES))) == [str(k) for k in range(LINES)]
    assert COLUMNS - 2 <= width(fit(["x" * 1000])[0]) <= COLUMNS


def test_a_table_is_aligned_and_cut() -> None:
    lines = table(
        ("name", "n"), [("方言", "1"), ("a_long_name", "1,000")], align="lr", limits=(8, 9)
    )
    assert lines == [
        "name          n",
        "────────  ─────",
        "方言          1",
        "a_long_…  1,000",
    ]
    many = table(("n",), [(str(k),) for k in range(50)], align="l", limit=10, noun="pass")
    assert len(many) == 10
    assert many[-1] == "… 43 more passes"


def test_a_table_without_rows_has_its_head() -> None:
    assert table(("a", "b"), [], align="ll") == ["a  b", "─  ─"]


def test_counts_have_their_plural() -> None:
    assert [count(n, "pass") for n in (0, 1, 2)] == ["0 passes", "1 pass", "2 passes"]
    assert count(3120, "line") == "3,120 lines"
