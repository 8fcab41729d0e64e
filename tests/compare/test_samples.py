"""Every sample dump, broken twins included, goes through every function of `compare`."""

from pathlib import Path

import pytest

from iree_layers.compare import before, census, changes, find, layers
from iree_layers.dump.dump import Dump
from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import MemorySource

SAMPLES = Path(__file__).parents[2] / "ir_samples" / "dumps"
FILES = sorted(SAMPLES.glob("*.txt"))


def opened(path: Path) -> Dump:
    return assign(index(MemorySource(path.read_bytes())))


def test_there_are_samples():
    assert len(FILES) > 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_breaks_and_texts_are_short(path):
    dump = opened(path)
    values = [changes(dump), layers(dump), census(dump), find(dump, "module")]
    values += [before(dump, k) for k in range(len(dump))]
    for value in values:
        assert len(str(value).split("\n")) <= 40
        assert str(value) == repr(value)
    assert len(changes(dump)) == len(dump)
    assert sum(row.snapshots for row in layers(dump)) == len(dump)


def counts(data: bytes) -> list[tuple[str, int, int]]:
    dump = assign(index(MemorySource(data)))
    return [(change.name, change.added, change.removed) for change in changes(dump)]


def test_line_ends_do_not_count():
    data = (SAMPLES / "twin-crlf.txt").read_bytes()
    assert counts(data) == counts(data.replace(b"\r\n", b"\n"))


def test_a_warning_inside_a_body_is_no_change():
    inside = counts((SAMPLES / "twin-warning-inside.txt").read_bytes())
    assert inside == counts((SAMPLES / "warning.txt").read_bytes())
