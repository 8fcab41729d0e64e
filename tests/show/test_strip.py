from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

from iree_layers.compare.layers import layers
from iree_layers.dump.index import index
from iree_layers.dump.layers import MARKER, assign
from iree_layers.dump.source import MemorySource
from iree_layers.dump.trace import Trace
from iree_layers.show.borders import borders
from iree_layers.show.page import picture
from iree_layers.show.strip import drawing, strip


def test_every_layer_has_its_numbers_in_both(mlp: Trace) -> None:
    shown = strip(mlp)
    lines = shown.text.split("\n")
    rows = layers(mlp)
    assert [line.split()[0] for line in lines[2:-1]] == list(mlp.layers)
    for row, line in zip(rows, lines[2:-1], strict=True):
        assert line.split()[1:3] == [str(row.snapshots), str(row.changed)]
        assert f'<td class="r">{row.snapshots}<td class="r">{row.changed}' in shown.html
    assert lines[-1] == f"{len(mlp)} snapshots, {sum(r.changed for r in rows)} changed the IR"


def test_bars_are_as_long_as_there_are_snapshots(mlp: Trace) -> None:
    lines = strip(mlp).text.split("\n")[2:-1]
    bars = [(len(re.findall("[█░]", line)), int(line.split()[1])) for line in lines]
    assert sorted(bars) == sorted(bars, key=lambda pair: pair[1])
    assert max(bars)[0] == 60
    assert min(bars)[0] >= 1


def test_a_layer_that_changed_something_is_never_shown_as_idle(mlp: Trace) -> None:
    for row, line in zip(layers(mlp), strip(mlp).text.split("\n")[2:-1], strict=True):
        assert ("█" in line) == (row.changed > 0)


def test_the_drawing_is_a_picture_for_a_readme(mlp: Trace) -> None:
    root = ElementTree.fromstring(picture(drawing(mlp)))
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert set(mlp.layers) <= set(words)


def test_a_guessed_layer_is_marked(mlp: Trace) -> None:
    shown = [s for s in mlp if s.name != MARKER]
    text = b"".join(mlp.dump.raw(s) for s in shown)
    guessed = assign(index(MemorySource(text)))
    assert guessed[100].guessed
    lines = strip(guessed).text.split("\n")
    assert all(line.split()[0].endswith("?") for line in lines[2:-1])
    assert "best fit" in lines[-1]
    assert "?" not in strip(mlp).text


FAILED = b"""\
// -----// IR Dump After Foo Failed (foo) //----- //
func.func @f() {
  return
}
"""


def test_a_layer_that_is_not_complete_is_named(mlp: Trace) -> None:
    dump = assign(index(MemorySource(FAILED)))
    said = "foo failed: layer unknown is not complete"
    for shown in (strip(dump), borders(dump)):
        assert shown.text.split("\n")[-1].endswith(said)
        assert said in shown.html
    stopped = replace(mlp, exit=-11)
    assert strip(stopped).text.endswith("the compiler ended with -11: layer vm is not complete")
    assert "complete" not in strip(mlp).text + borders(mlp).text


def test_a_program_that_was_not_seen_is_not_called_empty() -> None:
    dump = assign(index(MemorySource(FAILED)))
    assert borders(dump).text.split("\n")[2].split("  ")[1:] == ["not seen", "not seen"]
