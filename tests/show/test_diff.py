from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

from iree_layers.compare.diff import diff as compare
from iree_layers.compare.difference import Diff, Hunk
from iree_layers.dump.trace import Trace
from iree_layers.show.diff import diff
from iree_layers.show.text import width

OLD = """\
util.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = a.one %arg0 : tensor<4xf32>
  %1 = a.two %0 : tensor<4xf32>
  %2 = a.three %1 : tensor<4xf32>
  %3 = a.four %2 : tensor<4xf32>
  %4 = a.five %3 : tensor<4xf32>
  %5 = a.six %4 : tensor<4xf32>
  util.return %5 : tensor<4xf32>
}
"""
NEW = OLD.replace("%5 = a.six %4 : t", "%5 = b.six %4 {x} : t").replace(
    "  %0 = a.one", "  new.op\n  %0 = a.one"
)


def cells(html: str) -> list[str]:
    return [
        unescape(re.sub(r"<[^>]*>", "", cell))
        for cell in re.findall(r'<td class="?x[^>]*>(.*?)(?=<td|</tr>)', html)
    ]


def test_the_text_is_a_unified_diff() -> None:
    assert diff(compare(OLD, NEW), title="six").text.split("\n") == [
        "six: +2 -1 lines in 2 places",
        "  util.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {",
        "+   new.op",
        "    %0 = a.one %arg0 : tensor<4xf32>",
        "    %1 = a.two %0 : tensor<4xf32>",
        "  ⋯ 1 equal line",
        "    %3 = a.four %2 : tensor<4xf32>",
        "    %4 = a.five %3 : tensor<4xf32>",
        "-   %5 = a.six %4 : tensor<4xf32>",
        "+   %5 = b.six %4 {x} : tensor<4xf32>",
        "    util.return %5 : tensor<4xf32>",
        "  }",
    ]


def test_both_sides_stand_next_to_each_other() -> None:
    html = diff(compare(OLD, NEW)).html
    rows = re.findall(r"<tr>.*?</tr>", html)
    (changed,) = [row for row in rows if 'class="x rm"' in row]
    assert 'class="x ad"' in changed
    assert cells(changed) == [
        "  %5 = a.six %4 : tensor<4xf32>",
        "  %5 = b.six %4 {x} : tensor<4xf32>",
    ]
    assert "<mark>" in changed
    assert "7 −" in changed
    assert "8 +" in changed


def test_the_unified_form_has_one_column() -> None:
    html = diff(compare(OLD, NEW), side_by_side=False).html
    rows = [cells(row) for row in re.findall(r"<tr>.*?</tr>", html)]
    assert {len(row) for row in rows} == {0, 1}
    assert [row[0] for row in rows if row][1] == "  new.op"


def test_equal_texts_need_one_line() -> None:
    assert diff(compare(OLD, OLD)).text == "identical"
    assert diff(compare(OLD, OLD.replace("%1", "%one")), title="t").text.startswith(
        "t: only renumbering"
    )


def test_a_long_diff_says_what_it_left_out() -> None:
    new = OLD.replace("a.one", "\n".join(f"b.x{k}" for k in range(100)) + "\na.one")
    shown = diff(compare(OLD, new))
    lines = shown.text.split("\n")
    assert len(lines) == 40
    assert re.fullmatch(r"… \d+ more rows \(\+6\d -0\)", lines[-1])
    assert shown.html.count("<tr>") < 45
    assert len(diff(compare(OLD, new), lines=10).text.split("\n")) == 10


def test_every_border_of_a_trace_fits(mlp: Trace) -> None:
    texts = [mlp.phase(name) for name in mlp.phases]
    for before, after in pairwise(texts):
        for side_by_side in (True, False):
            shown = diff(compare(before, after), side_by_side=side_by_side)
            lines = shown.text.split("\n")
            assert len(lines) <= 40
            assert max(map(width, lines)) <= 150
            assert len(shown.html) < 30_000


def test_an_alias_that_stands_for_something_else_is_spelled_out() -> None:
    old = ("#map = affine_map<(d0) -> (d0)>", "a.b #map : f32")
    new = ("#map = affine_map<(d0) -> (0)>", "a.b #map : f32")
    shown = diff(Diff(old, new, (Hunk(1, 2, 1, 2),), 1, 1, identical=False)).text
    assert "- a.b affine_map<(d0) -> (d0)> : f32" in shown
    assert "+ a.b affine_map<(d0) -> (0)> : f32" in shown


def test_hostile_lines_are_text(hostile: str) -> None:
    shown = diff(compare("a.b\n" + hostile.replace("\n", ""), "c.d\n" + hostile * 2), title=hostile)
    assert "<img" not in shown.html
    assert "<script" not in shown.html
    shown.html.encode()
    assert "\x1b" not in shown.text
    assert "\u202e" not in shown.html
