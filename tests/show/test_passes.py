from __future__ import annotations

import re

import pytest

from iree_layers.compare.changes import changes
from iree_layers.dump.layers import MARKER
from iree_layers.dump.trace import Trace
from iree_layers.errors import LayersError
from iree_layers.show.passes import clean_ups, passes
from iree_layers.show.text import width


def test_what_cleans_up_is_found_without_a_list_of_names(mlp: Trace) -> None:
    found = clean_ups(mlp)
    assert {"canonicalize", "cse", "iree-util-simplify-global-accesses"} <= found
    assert MARKER not in found
    assert not {name for name in found if name.startswith(("iree-stream", "iree-llvmcpu"))}


def test_in_a_dump_of_one_layer_what_runs_often_cleans_up(mlp: Trace) -> None:
    assert "canonicalize" in clean_ups(mlp.at("stream"))
    assert "iree-stream-conversion" not in clean_ups(mlp.at("stream"))


def test_every_pass_that_did_its_own_work_has_a_row(mlp: Trace) -> None:
    found, cleans = changes(mlp), clean_ups(mlp)
    own = [s for s in mlp.at("stream") if found[s.index].changed and s.name not in cleans]
    lines = passes(mlp, "stream").text.split("\n")
    rows = [line.split() for line in lines if re.match(r" *\d+  ", line)]
    assert [(int(row[0]), row[1]) for row in rows] == [(s.index, s.name) for s in own]
    for row, snapshot in zip(rows, own, strict=True):
        change = found[snapshot.index]
        assert row[-2:] == [f"+{change.added}", f"−{change.removed}"]


@pytest.mark.parametrize("layer", ["abi", "flow", "stream"])
def test_every_pass_is_in_a_row_or_counted(mlp: Trace, layer: str) -> None:
    text = passes(mlp, layer).text
    total = len(re.findall(r"(?m)^ *\d+  ", text))
    total += sum(int(n) for n in re.findall(r"\+(\d+) clean-up", text))
    total += sum(int(n) for n in re.findall(r"(\d+) (?:others?|pass|passes) changed nothing", text))
    assert total == len(mlp.at(layer))
    assert text.startswith(f"{layer}: {total} passes, ")


def test_folded_passes_unfold_in_a_notebook(mlp: Trace) -> None:
    html = passes(mlp, "stream").html
    assert html.count("<details>") == html.count("</details>") > 5
    assert "canonicalize ×" in html


def test_the_overview_has_every_layer_and_fits(mlp: Trace) -> None:
    shown = passes(mlp)
    lines = shown.text.split("\n")
    assert len(lines) <= 40
    assert max(map(width, lines)) <= 150
    assert [line.split(":")[0] for line in lines if ": " in line] == list(mlp.layers)
    assert len(shown.html) < 15_000


def test_every_layer_fits(mlp: Trace) -> None:
    for layer in mlp.layers:
        shown = passes(mlp, layer)
        lines = shown.text.split("\n")
        assert len(lines) <= 40
        assert max(map(width, lines)) <= 150
        assert len(shown.html) < 30_000


def test_a_layer_that_is_not_there_is_an_error(mlp: Trace) -> None:
    with pytest.raises(LayersError, match="no layer 'strem'") as error:
        passes(mlp, "strem")
    assert "stream" in error.value.expected
