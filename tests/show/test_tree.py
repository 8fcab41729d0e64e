"""The drawing of an op: every op a row, every use an arrow, text and SVG from the same rows."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from iree_layers.show import tree

PICK = """
func.func @pick(%c: i1, %a: f32, %b: f32) -> f32 {
  cf.cond_br %c, ^left, ^join(%b : f32)
^left:
  %twice = arith.addf %a, %a : f32
  cf.br ^join(%twice : f32)
^join(%x: f32):
  return %x : f32
}
"""


def test_the_text_is_the_nesting() -> None:
    assert str(tree(PICK)).splitlines() == [
        "builtin.module",
        "└─ func.func @pick",
        "   ├─ ^bb0(%arg0: i1, %arg1: f32, %arg2: f32)",
        "   │  └─ cf.cond_br %arg0, %arg2 → ^bb1, ^bb2",
        "   ├─ ^bb1",
        "   │  ├─ %0 = arith.addf %arg1, %arg1 : f32",
        "   │  └─ cf.br %0 → ^bb2",
        "   └─ ^bb2(%1: f32)",
        "      └─ func.return %1",
    ]


def _svg(html: str) -> ET.Element:
    return ET.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])


def test_the_drawing_has_every_row_every_value_and_every_jump() -> None:
    svg = _svg(tree(PICK).html)
    assert [text.text for text in svg.iter("text")][:2] == ["builtin.module", "func.func @pick"]
    kinds = [element.get("class") for element in svg.iter()]
    assert kinds.count("us") == 5  # %arg0, %arg1, %arg2, %0, %1
    assert kinds.count("cf") == 3
    assert kinds.count("bk") == 3


def test_without_uses_there_are_no_lines() -> None:
    assert "us" not in [
        element.get("class") for element in _svg(tree(PICK, uses=False).html).iter()
    ]


def test_what_is_left_out_is_counted() -> None:
    body = "\n".join(f"  %{k} = arith.constant {k} : i32" for k in range(60))
    shown = str(tree(f"func.func @f() {{\n{body}\n  return\n}}")).splitlines()
    assert len(shown) == 40
    assert shown[-1] == "… 24 more rows"


@pytest.mark.parametrize("symbol", ['"a<b>&"', '"my fn"'])
def test_names_are_escaped(symbol: str) -> None:
    svg = _svg(tree(f"func.func @{symbol}() {{ return }}").html)
    assert f"func.func @{symbol[1:-1]}" in [text.text for text in svg.iter("text")]


def test_two_values_that_live_at_once_have_lanes_of_their_own() -> None:
    svg = _svg(tree(PICK).html)
    lanes = [
        element.get("d", "").split("H")[1].split("V")[0]
        for element in svg.iter()
        if element.get("class") == "us"
    ]
    # The three arguments of the entry block start in one row.
    assert len(set(lanes[:3])) == 3
