from __future__ import annotations

import re
from html import unescape

import pytest

from iree_layers.dump.trace import Trace
from iree_layers.errors import LayersError
from iree_layers.show.ir import ir
from iree_layers.show.text import width

NESTED = """\
module {
  util.global private @state : i32
  util.func public @main(%arg0: i32) -> i32 {
    util.call @helper(%arg0) : (i32) -> ()
    scf.if %c {
      a.b
    } else {
      c.d
    }
  ^bb1:
    util.return %arg0 : i32
  } loc("x")
  util.func private @helper(%arg0: i32) {
    util.return
  }
}
"""


def test_short_text_is_shown_whole() -> None:
    shown = ir("func.func @f() {\n  return\n}\n")
    assert shown.text == "func.func @f() {\n  return\n}"
    assert "more" not in shown.html


def test_a_long_text_says_what_it_left_out() -> None:
    text = "".join(f"x.y {k}\n" for k in range(1, 253))
    lines = ir(text).text.split("\n")
    assert len(lines) == 40
    assert lines[-2:] == ["x.y 39", "… 213 more lines"]
    assert ir(text, title="t").text.split("\n")[-1] == "… 214 more lines"
    assert ir(text, lines=2).text == "x.y 1\nx.y 2\n… 250 more lines"
    assert "… 213 more lines" in ir(text).html


@pytest.mark.parametrize("size", [38, 39, 40, 41])
@pytest.mark.parametrize("title", ["", "title"])
def test_no_line_is_lost_at_the_limit(size: int, title: str) -> None:
    lines = ir("\n".join(f"x.y {k}" for k in range(size)), title=title).text.split("\n")
    assert len(lines) <= 40
    missing = re.search(r"… (\d+) more", lines[-1])
    assert sum("x.y" in line for line in lines) + (int(missing[1]) if missing else 0) == size


def test_a_symbol_is_shown_with_all_that_is_in_it() -> None:
    shown = ir(NESTED, only="@main").text.split("\n")
    assert shown[0].startswith("  util.func public @main")
    assert shown[-2:] == ['  } loc("x")', "lines 3–12 of 16"]


def test_a_definition_is_found_and_not_the_call_before_it() -> None:
    assert ir(NESTED, only="@helper").text.startswith("  util.func private @helper")


def test_a_symbol_without_a_region_is_one_line() -> None:
    assert ir(NESTED, only="@state").text.split("\n")[0] == "  util.global private @state : i32"
    assert ir(NESTED, only="@st*").text == ir(NESTED, only="@state").text


def test_an_unknown_symbol_gets_near_ones() -> None:
    with pytest.raises(LayersError, match="no op here has the symbol '@mian'") as error:
        ir(NESTED, only="@mian")
    assert error.value.todo.startswith("symbols here are @main")


def test_a_range_of_lines_counts_from_one() -> None:
    assert ir(NESTED, only=(2, 2)).text.split("\n") == [
        "  util.global private @state : i32",
        "lines 2–2 of 16",
    ]
    assert ir(NESTED, only=(15, 99)).text.endswith("lines 15–16 of 16")


@pytest.mark.parametrize("lines", [(0, 3), (5, 4), (17, 20)])
def test_lines_that_are_not_there_are_an_error(lines: tuple[int, int]) -> None:
    with pytest.raises(LayersError, match="no lines"):
        ir(NESTED, only=lines)


def test_numbers_are_those_of_the_whole_text() -> None:
    assert ir(NESTED, only="@main", numbers=True).text.split("\n")[0].startswith(" 3    util")


def test_marked_lines_stand_out_in_both() -> None:
    shown = ir(NESTED, mark="util.call")
    assert [line[0] for line in shown.text.split("\n")].count("▸") == 1
    assert shown.html.count("<mark>") == 1


def test_hostile_text_is_text(hostile: str) -> None:
    shown = ir(hostile + "\n" + hostile[::-1])
    assert "<script" not in shown.html
    assert "<img" not in shown.html
    for text in (shown.text, shown.html):
        text.encode()
        assert not set(text) & set("\x1b\x00\u202e\u2066\u200b\u2028")
    assert shown.text.count("\n") == 1
    assert 'dir="ltr"' in shown.html


def test_a_line_of_five_megabytes_is_cut() -> None:
    shown = ir('x.y dense<"0x' + "0F" * 2_500_000 + '">\nend')
    first, last = shown.text.split("\n")
    assert width(first) <= 150
    assert re.search(r"… 4,999,\d\d\d more$", first)
    assert last == "end"
    assert len(shown.html) < 4000


def test_windows_line_ends_are_no_characters() -> None:
    assert ir("a.b\r\nc.d\r\n").text == "a.b\nc.d"


def test_nothing_at_all_can_be_shown() -> None:
    assert ir("").text == ""


def test_every_phase_shows_its_functions(mlp: Trace) -> None:
    for name in ("flow", "stream", "hal"):
        shown = ir(mlp.phase(name), only="@mlp")
        html = re.search(r"<pre[^>]*>(.*)</pre>", shown.html, re.DOTALL)
        assert html
        text = unescape(re.sub(r"<[^>]*>", "", html[1])).split("\n")
        assert len(text) == len(shown.text.split("\n")) - 1


def test_a_symbol_in_quotes_is_asked_for_as_it_is() -> None:
    text = 'module {\n  func.func @"a \\22b\\22 <c>"() {\n    return\n  }\n}\n'
    shown = ir(text, only='@a "b" <c>')
    assert shown.text.split("\n")[0].strip().startswith("func.func")
    assert "<c>" not in shown.html
    with pytest.raises(LayersError) as error:
        ir(text, only='@a "b"')
    assert '@a "b" <c>' in error.value.todo
