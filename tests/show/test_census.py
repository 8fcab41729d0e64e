from __future__ import annotations

import re

import numpy as np
import pytest

from iree_layers.compare.census import Census
from iree_layers.compare.census import census as count
from iree_layers.dump.trace import Trace
from iree_layers.show.census import census
from iree_layers.show.text import width


def made(counts: list[list[int]], bands: tuple[tuple[str, int, int], ...]) -> Census:
    names = tuple(f"d{k}" for k in range(len(counts)))
    array = np.array(counts, np.int32)
    return Census(names, array, ("p",) * array.shape[1], bands)


def test_a_lane_is_full_where_the_dialect_has_most(mlp: Trace) -> None:
    found = count(mlp)
    for line in census(found).text.split("\n")[1:19]:
        name, most = line.split()[0], int(line.split()[-1])
        assert most == found.of(name).max()
        assert "█" in line


def test_lanes_come_in_order_of_first_occurrence(mlp: Trace) -> None:
    found = count(mlp)
    names = [line.split()[0] for line in census(found).text.split("\n")[1:19]]
    firsts = [found.life(name) for name in names]
    assert firsts == sorted(firsts)
    assert names[-1] == "vm"


def test_every_layer_is_on_the_axis(mlp: Trace) -> None:
    shown = census(count(mlp))
    assert re.findall(r"\d+ ([a-z-]+)", " ".join(shown.text.split("\n")[19:21])) == list(mlp.layers)
    assert [name for name in mlp.layers if f">{name}<" in shown.html] == list(mlp.layers)


def test_steps_are_where_the_counts_change() -> None:
    # Two layers of 270 pixels; the only lane doubles at the border.
    html = census(made([[1, 1, 2, 2]], (("a", 0, 2), ("b", 2, 4)))).html
    assert re.search(r'd="M122 132v-9h270v-8h270v17z"', html)


def test_a_dialect_that_comes_and_goes_ends_on_the_base_line(mlp: Trace) -> None:
    for path in re.findall(r' d="M122 \d+([^"]*)z"', census(count(mlp)).html):
        assert sum(int(v) for v in re.findall(r"v(-?\d+)", path)) == 0
        assert sum(int(h) for h in re.findall(r"h(\d+)", path)) <= 540


def test_dialects_without_a_lane_are_named(mlp: Trace) -> None:
    shown = census(count(mlp), lanes=3)
    assert re.search(r"… \d+ more dialects: .*flow", shown.text)
    lanes = {line.split()[0] for line in shown.text.split("\n")[1:4]}
    assert not lanes & set(re.split(r"[ ,]+", shown.text.split("more dialects: ")[1]))
    assert shown.html.count("<path") == 3


@pytest.mark.parametrize("bands", [1, 40, 900])
def test_any_number_of_layers_fits(bands: int) -> None:
    found = made(
        [[k % 3 for k in range(bands)]], tuple((f"layer{k}", k, k + 1) for k in range(bands))
    )
    lines = census(found).text.split("\n")
    assert len(lines) <= 40
    assert max(map(width, lines)) <= 150


def test_a_small_dialect_that_rules_its_layer_has_a_lane() -> None:
    # 900 ops of one dialect in a few snapshots do not push out four ops that were alone for long.
    found = made([[0, 0, 0, 900], [0, 0, 0, 800], [4, 4, 4, 0]], (("a", 0, 3), ("b", 3, 4)))
    assert {line.split()[0] for line in census(found, lanes=2).text.split("\n")[1:3]} == {
        "d0",
        "d2",
    }


def test_no_snapshot_at_all() -> None:
    empty = Census((), np.zeros((0, 0), np.int32), (), ())
    assert census(empty).text.startswith("dialect")


def test_the_picture_is_small(mlp: Trace) -> None:
    assert len(census(count(mlp)).html) < 12_000
