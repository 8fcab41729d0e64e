from __future__ import annotations

import re
from pathlib import Path

import pytest

from iree_layers.compare.changes import changes
from iree_layers.dump.index import index
from iree_layers.dump.layers import MARKER, assign
from iree_layers.dump.source import MemorySource
from iree_layers.dump.trace import Trace
from iree_layers.errors import LayersError
from iree_layers.show.borders import borders
from iree_layers.show.passes import clean_ups, passes
from iree_layers.show.strip import strip
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


def test_a_pass_that_failed_is_never_folded_and_has_no_lines() -> None:
    sample = Path(__file__).parents[2] / "ir_samples" / "dumps" / "failed.txt"
    dump = assign(index(MemorySource(sample.read_bytes())))
    layer = dump.failed[0].layer
    lines = passes(dump, layer).text.split("\n")
    assert lines[0] == f"{layer}: 6 passes, 1 changed the IR, 1 failed"
    assert lines[-2].split() == ["5", "torch-reduce-op-variants", "@f", "failed"]
    overview = passes(dump).text.split("\n")
    assert overview[0].endswith("1 of 6 passes changed the IR, 1 failed")
    assert "torch-reduce-op-variants" not in overview[1], "it changed nothing"


def test_hidden_snapshots_are_said_to_be_counted_with_others(mlp: Trace) -> None:
    part = mlp.dump.only("@mlp")
    said = f"{len(mlp) - len(part)} snapshots hidden: what passes did there counts for the next one"
    for shown in (passes(part), passes(part, "stream"), strip(part), borders(part)):
        assert said in shown.text.split("\n")[-1]
        assert said in shown.html
        assert len(shown.text.split("\n")) <= 40
    assert "hidden" not in passes(mlp).text
