"""How fast a dump is indexed: our index, `grep -c`, `wc -l` and a Python loop, in one run.

    python -m tests.bench.bench_index DUMP [--megabytes 600]

A smaller dump is repeated until it is large enough, each repetition with another content, so that
within one repetition as many snapshots are equal as in the real dump, and between two none are.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from iree_layers.dump.header import PREFIX
from iree_layers.dump.index import index
from iree_layers.dump.search import Search
from iree_layers.dump.source import FileSource, buffer_of

from .table import Row, table

__all__ = ["larger", "rows"]

ROUNDS = 5
MEMORY = 60
"Megabytes of its own that indexing may take, the interpreter and numpy included."

# Samples the process's own memory (not the mapped pages of the file) while it indexes.
_MEMORY = """
import re, sys, threading
from iree_layers.dump.index import index
from iree_layers.dump.source import FileSource
done, peak = threading.Event(), 0
def own():
    return int(re.search(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read())[1])
def watch():
    global peak
    while not done.wait(0.002):
        peak = max(peak, own())
thread = threading.Thread(target=watch)
thread.start()
dump = index(FileSource(sys.argv[1]))
done.set()
thread.join()
print(max(peak, own()) / 1000)
"""


def positions(path: Path) -> int:
    """Number of headers, and nothing else about them."""
    source = FileSource(path)
    count = 0
    with buffer_of(source) as data:
        search = Search(data)
        start, _ = search.header(0)
        count += data[: len(PREFIX)] == PREFIX
        while start < len(data):
            count += 1
            start, _ = search.header(start)
        del search
    source.close()
    return count


def whole(path: Path) -> int:
    """Everything that `open_dump` knows: headers, hashes, equals, roots, noise."""
    source = FileSource(path)
    count = len(index(source))
    source.close()
    return count


def grep(path: Path) -> int:
    """What a shell counts."""
    command = ["grep", "-c", "^// -----// IR Dump", str(path)]
    env = {**os.environ, "LC_ALL": "C"}
    return int(subprocess.run(command, env=env, capture_output=True, check=True).stdout)


def wc(path: Path) -> int:
    """Number of lines: what reading the bytes at all costs."""
    ran = subprocess.run(["wc", "-l", str(path)], capture_output=True, check=True)
    return int(ran.stdout.split()[0])


def loop(path: Path) -> int:
    """The obvious Python."""
    with path.open("rb") as stream:
        return sum(line.startswith(PREFIX) for line in stream)


def rows(dump: Path) -> list[Row]:
    """Our index against the others on one dump; best of five, taken in turns."""
    runs: list[Callable[[Path], int]] = [grep, positions, whole, wc]
    seconds: dict[Callable[[Path], int], float] = {loop: _seconds(loop, dump)[0]}
    found = {loop(dump)}
    for _ in range(ROUNDS):
        for run in runs:
            took, count = _seconds(run, dump)
            seconds[run] = min(took, seconds.get(run, took))
            if run is not wc:
                found.add(count)
    if len(found) != 1:
        raise SystemExit(f"{dump}: different counts of headers: {sorted(found)}")
    made = [
        Row("index: header positions", seconds[positions], "grep -c", seconds[grep], 1.25),
        Row("index: + hash, root, noise", seconds[whole], "grep -c", seconds[grep], 1.6),
        Row("index: + hash, root, noise", seconds[whole], "wc -l", seconds[wc]),
        Row("index: + hash, root, noise", seconds[whole], "for line in file", seconds[loop]),
    ]
    if sys.platform == "linux":
        made.append(Row("index: own memory", _megabytes(dump), "allowed", MEMORY, 1, "MB"))
    return made


def _seconds(run: Callable[[Path], int], path: Path) -> tuple[float, int]:
    start = time.perf_counter()
    count = run(path)
    return time.perf_counter() - start, count


def _megabytes(path: Path) -> float:
    command = [sys.executable, "-c", _MEMORY, str(path)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def larger(dump: Path, out: Path, megabytes: int) -> Path:
    """Write `out`: the dump repeated to a size, no two repetitions with an equal body."""
    data = dump.read_bytes()
    written = number = 0
    with out.open("wb") as stream:
        while written < megabytes * 1_000_000:
            # Every op with a region opens it at the end of a line.
            written += stream.write(data.replace(b" {\n", b" {  // %d\n" % number))
            number += 1
    return out


def main() -> None:
    """Print the table for a dump."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump", type=Path)
    parser.add_argument("--megabytes", type=int, default=600, help="repeat the dump to this size")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dump: Path = options.dump
        if dump.stat().st_size < options.megabytes * 1_000_000:
            dump = larger(dump, Path(scratch) / "dump.txt", options.megabytes)
        print(f"{dump.stat().st_size / 1e6:.0f} MB, {grep(dump)} snapshots")
        print(table(rows(dump)))


if __name__ == "__main__":
    main()
