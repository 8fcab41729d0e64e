from __future__ import annotations

from itertools import pairwise

from iree_layers.compare.layers import layers
from iree_layers.dump.trace import Trace
from iree_layers.show.borders import borders


def test_every_layer_says_what_came_to_be_and_what_went(mlp: Trace) -> None:
    shown = {line.split()[0]: line for line in borders(mlp).text.split("\n")[2:]}
    assert list(shown) == list(mlp.layers)
    assert "+stream" in shown["stream"]
    assert "−flow" in shown["stream"]
    assert "+llvm" in shown["executable-targets"]
    assert shown["vm"].split("  ")[0] == "vm"
    assert "vm 1" in shown["vm"]


def test_what_goes_out_of_a_layer_comes_into_the_next(mlp: Trace) -> None:
    rows = layers(mlp)
    assert all(a.ops_out == b.ops_in for a, b in pairwise(rows))
    lines = borders(mlp).text.split("\n")[2:]
    starts = [borders(mlp).text.split("\n")[0].index(word) for word in ("comes", "goes", "new")]
    sides = [(x[starts[0] : starts[1]].strip(), x[starts[1] : starts[2]].strip()) for x in lines]
    assert all(a[1] == b[0] for a, b in pairwise(sides))


def test_new_dialects_stand_out(mlp: Trace) -> None:
    assert "<b>flow</b> " in borders(mlp).html
    assert "<b>arith</b>" not in borders(mlp).html
