"""Capture and index of a program's dump against what everybody types, all in one run.

    python -m tests.bench.bench_capture ENCODER.mlir [--rounds 2] [--scope module]

The references get the same flags for the target and for cutting constants, and leave out what a
capture makes besides (phase files, files of executables).
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from iree_layers.compile.capture import ELIDE, Scope, capture
from iree_layers.compile.program import program
from iree_layers.compile.shim import shim
from iree_layers.compile.target import Target
from iree_layers.compile.toolchain import tool
from iree_layers.dump.index import index
from iree_layers.dump.source import FileSource

from .table import Row, table

Timed = tuple[float, float]
"wall seconds; user and system seconds of this process and its children"


def rows(encoder: Path, scratch: Path, *, rounds: int = 2, scope: Scope = "op") -> list[Row]:
    """Measure every way `rounds` times, in turn, and compare the best of each."""
    print_all = [
        *Target.TEXT.flags,
        *ELIDE,
        "--mlir-print-ir-after-all",
        "--mlir-disable-threading",
        *(["--mlir-print-ir-module-scope"] if scope == "module" else []),
    ]

    def compile_plainly(*more: str) -> None:
        with (scratch / "dump.txt").open("wb") as stderr:
            argv = [tool("iree-compile"), encoder, "-o", "out.vmfb", *print_all, *more]
            subprocess.run(argv, cwd=scratch, stderr=stderr, check=True)

    def as_tree() -> None:
        compile_plainly("--mlir-print-ir-tree-dir=tree")
        shutil.rmtree(scratch / "tree")

    def ours(plain: str) -> None:
        with mock.patch.dict(os.environ, {"IREE_LAYERS_PLAIN": plain}):
            made = capture(program(encoder), scope=scope, progress=False)
            index(FileSource(made.dump)).close()

    ways: dict[str, Callable[[], None]] = {
        "plain": compile_plainly,
        "tree": as_tree,
        "shim": lambda: ours("0"),
        "pipe": lambda: ours("1"),
    }
    if not shim().path:
        del ways["shim"]
    best = _best(ways, rounds)
    return [row for unit in (0, 1) for row in _compared(best, unit)]


def _best(ways: dict[str, Callable[[], None]], rounds: int) -> dict[str, Timed]:
    times: dict[str, list[Timed]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, work in ways.items():
            times[name].append(_timed(work))
    return {
        name: (min(w for w, _ in found), min(c for _, c in found)) for name, found in times.items()
    }


def _timed(work: Callable[[], None]) -> Timed:
    wall, cpu = time.perf_counter(), _cpu()
    work()
    return time.perf_counter() - wall, _cpu() - cpu


def _cpu() -> float:
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


def _compared(best: dict[str, Timed], unit: int) -> list[Row]:
    name = ("s", "s of CPU")[unit]
    plain, tree, pipe = (best[way][unit] for way in ("plain", "tree", "pipe"))
    found = [
        Row("capture + index, no C compiler", pipe, "2> file", plain, 0.75, name),
        Row("the compiler's tree-dir", tree, "2> file", plain, None, name),
    ]
    if "shim" in best:
        fast = best["shim"][unit]
        found = [
            Row("capture + index", fast, "2> file", plain, 0.40, name),
            Row("capture + index", fast, "the compiler's tree-dir", tree, 1.15, name),
            *found,
        ]
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--scope", choices=["op", "module"], default="op")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        encoder = asked.encoder.resolve()
        print(table(rows(encoder, Path(scratch), rounds=asked.rounds, scope=asked.scope)))


if __name__ == "__main__":
    main()
