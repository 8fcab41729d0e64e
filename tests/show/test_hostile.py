"""A dump made by an enemy: markup and escape sequences wherever a name can stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from iree_layers.compare.census import census as count
from iree_layers.dump.dump import Dump
from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import MemorySource
from iree_layers.show import borders, census, passes, strip, summary

SNAPSHOT = """\
// -----// IR Dump After Foo: foo //----- //
func.func @"<b>\u202e"() {{
  "evil<svg>.op"() : () -> ()
  <script>alert({k})</script>.op
  arith.constant {k} : i32
}}
"""

NAME = "p<img src=x>\x1b[31m"


@pytest.fixture(scope="module")
def evil() -> Dump:
    text = "".join(SNAPSHOT.replace("{k}", str(k)).replace("{{", "{") for k in range(9))
    dump = assign(index(MemorySource(text.encode()), origin="<script>"))
    # No header line with such names is understood, so they are put in behind it.
    snapshots = (
        replace(
            each, layer="<img>\x1b", header=replace(each.header, argument=f"{NAME}{each.index}")
        )
        for each in dump
    )
    return replace(dump, snapshots=tuple(snapshots))


def test_nothing_of_it_becomes_markup(evil: Dump) -> None:
    assert len(evil) == 9
    layer = evil[0].layer
    views = [strip(evil), borders(evil), passes(evil), passes(evil, layer), summary(evil)]
    for shown in [*views, census(count(evil))]:
        for tag in ("<script", "<img", "<b>\u202e", "onerror"):
            assert tag not in shown.html
        for text in (shown.text, shown.html):
            assert "\x1b" not in text
            assert "\u202e" not in text


def test_its_passes_are_shown_as_they_are_called(evil: Dump) -> None:
    shown = passes(evil, evil[0].layer)
    assert "p<img src=x>␛[31m8" in shown.text
    assert "p&lt;img src=x&gt;␛[31m8" in shown.html
