"""A stored dump against the text it was made from: size, time to save, time to open.

    python -m tests.bench.bench_store DUMP

Opening is measured on the dump repeated until it has 5000 snapshots.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zstandard

from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import FileSource
from iree_layers.dump.store import load, save

from .table import Row, table

SNAPSHOTS = 5000
HALF_A_SECOND = 0.5


def rows(dump: Path) -> list[Row]:
    """Measure with one dump; what is written goes into a scratch folder."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        made = assign(index(FileSource(dump)))
        saving, stored = _timed(lambda: save(made, folder / "once"))
        packing, _ = _timed(lambda: zstandard.compress(dump.read_bytes(), 3))
        size = stored.stat().st_size
        many = _repeated(dump, -(-SNAPSHOTS // len(made)), folder / "many.txt")
        opening, found = _timed(lambda: load(many))
        opening *= SNAPSHOTS / len(found)
        first, _ = _timed(lambda: found.text(len(found) // 2))
        found.close()
        made.close()
    return [
        Row("size of a stored dump", size, "its text", made.size, 1 / 30, "B"),
        Row("save", saving, "zstd -3 of the text", packing),
        Row(f"open {SNAPSHOTS} snapshots", opening, "half a second", HALF_A_SECOND, 1.0),
        Row("first text after opening", first, "half a second", HALF_A_SECOND),
    ]


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


def _repeated(dump: Path, copies: int, path: Path) -> Path:
    with path.open("wb") as out:
        for _ in range(copies):
            out.write(dump.read_bytes())
    return save(assign(index(FileSource(path))), path.with_suffix(".trace"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump", type=Path)
    print(table(rows(parser.parse_args().dump)))
