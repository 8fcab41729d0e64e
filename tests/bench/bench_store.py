"""A stored trace against the text it was made from: size, time to save, time to open.

    python tests/bench/bench_store.py DUMP

The aims (design, Speed): at most 1/30 of the text; opened in under 0.5 s for 5000 snapshots.
Opening is measured on the dump repeated until it has 5000 snapshots.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import FileSource
from iree_layers.dump.store import load, save

SNAPSHOTS = 5000


@dataclass(frozen=True)
class Row:
    """One figure and what it should be."""

    name: str
    value: float
    unit: str
    aim: str

    def __str__(self) -> str:
        return f"{self.name:<42} {self.value:>9.3f} {self.unit:<6} {self.aim}"


def rows(dump: Path) -> list[Row]:
    """Measure with one dump; what is written goes into a scratch folder."""
    with tempfile.TemporaryDirectory() as folder:
        made = assign(index(FileSource(dump)))
        started = time.perf_counter()
        stored = save(made, Path(folder, "once"))
        saving = time.perf_counter() - started
        size = stored.stat().st_size
        copies = -(-SNAPSHOTS // max(1, len(made)))
        many = _repeated(dump, copies, Path(folder, "many.txt"))
        started = time.perf_counter()
        found = load(many)
        opening = time.perf_counter() - started
        started = time.perf_counter()
        found.text(len(found) // 2)
        first = time.perf_counter() - started
        return [
            Row("text / stored file", made.size / size, "times", "at least 30"),
            Row("saving", saving, "s", f"{made.size / 1e6:.0f} MB of text"),
            Row(f"opening {SNAPSHOTS} snapshots", opening * SNAPSHOTS / len(found), "s", "under 0.5"),
            Row("first text after opening", first, "s", "one block"),
        ]


def _repeated(dump: Path, copies: int, path: Path) -> Path:
    with path.open("wb") as out:
        for _ in range(copies):
            out.write(dump.read_bytes())
    return save(assign(index(FileSource(path))), path.with_suffix(".trace"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump", type=Path)
    print(*rows(parser.parse_args().dump), sep="\n")
