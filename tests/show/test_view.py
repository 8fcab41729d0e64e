from __future__ import annotations

import dataclasses
import re

import pytest

from iree_layers.show.theme import PARTS, css
from iree_layers.show.view import View, view


def test_a_view_is_its_text() -> None:
    shown = View("a\nb", "<p>a</p>")
    assert str(shown) == repr(shown) == "a\nb"
    assert shown._repr_mimebundle_() == {"text/plain": "a\nb", "text/html": "<p>a</p>"}


def test_a_view_without_html_has_no_empty_html() -> None:
    assert View("a")._repr_mimebundle_(include=None, exclude=None) == {"text/plain": "a"}


def test_a_view_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        View("a").text = "b"  # type: ignore[misc]


def test_ipython_shows_the_text_without_quotes() -> None:
    from IPython.lib.pretty import pretty

    assert pretty(View("a\nb")) == "a\nb"


def test_a_view_fits_whatever_it_is_made_of() -> None:
    shown = view((f"{k} " + "x" * 500 for k in range(500)), "")
    lines = shown.text.split("\n")
    assert len(lines) == 40
    assert max(map(len, lines)) <= 150
    assert lines[-1] == "… 461 more lines"


def test_a_view_carries_the_rules_that_it_needs_and_no_others() -> None:
    html = view([], "", "code").html
    assert ".il pre" in html
    assert "thead" not in html


def test_the_style_sheet_is_small_and_scoped() -> None:
    # What the largest view needs; and every rule is about our own class.
    assert len(css("code", "table", "diff")) < 3000
    for part in PARTS:
        assert len(css(part)) < 1800
    sheet = css(*PARTS)
    assert "/*" not in sheet
    assert "\n" not in sheet
    for rule in sheet.split("}")[:-1]:
        for selector in re.sub(r":is\([^)]*\)", "", rule.split("{")[0]).split(","):
            assert ".il" in selector, selector


def test_the_style_sheet_has_no_address_and_cannot_end_itself() -> None:
    assert not any(word in css(*PARTS) for word in ("<", "@import", "url("))
