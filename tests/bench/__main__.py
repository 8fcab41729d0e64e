"""All benchmarks on the 4-layer encoder, each as a ratio within this run: `make bench`.

    python -m tests.bench [--megabytes 600] [--rounds 2]

The encoder is exported, captured once at op scope and once at module scope; the dumps of that are
what is indexed, stored and compared. It takes some minutes and 3 GB of disk.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from iree_layers.compare import changes
from iree_layers.compile import Target, capture, program
from iree_layers.dump import assign, open_dump

from . import bench_capture, bench_diff, bench_index, bench_store
from .encoder import write
from .table import Row, table


def sections(scratch: Path, megabytes: int, rounds: int) -> Iterator[tuple[str, list[Row]]]:
    """Name and rows of each part, one after the other."""
    encoder = write(scratch / "encoder.mlir")
    yield "capture, op scope", bench_capture.rows(encoder, scratch / "op", rounds=rounds)
    op = capture(program(encoder), Target.TEXT, files=False)
    yield "store, op scope", bench_store.rows(op.dump)
    yield "diff, op scope", [*bench_diff.rows(op.dump), _whole(op.dump)]
    large = bench_index.larger(op.dump, scratch / "large.txt", megabytes)
    yield "index, op scope", [*bench_index.rows(large), _layered(large)]
    large.unlink()
    module = capture(program(encoder), Target.TEXT, scope="module", files=False)
    yield "index, module scope", [*bench_index.rows(module.dump), _layered(module.dump)]


def _layered(dump: Path) -> Row:
    """Index, hash, same-as and layers, against counting the headers."""
    ours = min(_seconds(lambda: assign(open_dump(dump))) for _ in range(3))
    theirs = min(_seconds(lambda: bench_index.grep(dump)) for _ in range(3))
    return Row("index with hash and layers", ours, "grep -c", theirs, 1.6)


def _whole(dump: Path) -> Row:
    """All changed pairs of a trace."""
    return Row(
        "all changes of the trace", _seconds(lambda: changes(open_dump(dump))), "10 s", 10, 1
    )


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    """Print one table per part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--megabytes", type=int, default=600, help="size of the op scope dump")
    parser.add_argument("--rounds", type=int, default=2, help="best of so many captures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="iree-layers-bench-") as folder:
        scratch = Path(folder)
        (scratch / "op").mkdir()
        for name, rows in sections(scratch, options.megabytes, options.rounds):
            print(f"\n{name}\n{table(rows)}", flush=True)


if __name__ == "__main__":
    main()
