"""Dumps that threads mixed are recognised; orderly ones are not accused."""

from __future__ import annotations

from pathlib import Path

import pytest
import zstandard

from iree_layers.dump.dump import Dump, open_dump
from iree_layers.dump.threads import interleaved


def compressed(path: Path) -> Dump:
    with path.open("rb") as stream:
        return open_dump(zstandard.ZstdDecompressor().stream_reader(stream).read())


def test_dispatches_that_take_turns(samples: Path) -> None:
    warning = interleaved(compressed(samples / "dumps" / "threads.txt.zst"))
    assert "functions take turns" in warning
    assert warning.endswith("compile again with --mlir-disable-threading")


def test_texts_that_run_into_each_other(samples: Path) -> None:
    warning = interleaved(open_dump(samples / "dumps" / "twin-mixed.txt"))
    assert "texts run into each other in 10 snapshots" in warning


@pytest.mark.parametrize("name", ["const_eval_iree_3.4.0", "const_eval_iree_3.11.0"])
def test_orderly_dumps_of_whole_runs(samples: Path, name: str) -> None:
    path = samples / f"{name}.txt.zst"
    if not path.exists():
        pytest.skip(f"{path.name} is not among the samples")
    assert interleaved(compressed(path)) == ""


def test_orderly_samples(samples: Path) -> None:
    """Dumps of a few passes only are orderly too, though functions come back in them."""
    names = [
        each
        for each in (samples / "dumps").glob("*.txt")
        if each.name not in ("no-header.txt", "twin-utf16.txt", "twin-mixed.txt")
    ]
    assert len(names) > 20
    for path in names:
        assert interleaved(open_dump(path)) == "", path.name


def test_a_run_of_this_compiler(make_trace) -> None:
    assert interleaved(make_trace("two_matmuls").dump) == ""
