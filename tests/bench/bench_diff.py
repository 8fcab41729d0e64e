"""Diffs of real pairs of snapshots: against the goals, and against difflib in the same run.

    python -m tests.bench.bench_diff DUMP

The pairs of 60 000 lines are made from the dump: changed pairs, one below the other, until there
are enough lines. difflib runs with `autojunk=False` (without that its answer is wrong) on the
lines as printed, in a process of its own that is stopped after `CAP` seconds.
"""

from __future__ import annotations

import argparse
import difflib
import multiprocessing
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from iree_layers.compare.changes import changes
from iree_layers.compare.diff import diff
from iree_layers.compare.normalise import mask
from iree_layers.compare.predecessor import before, ir
from iree_layers.dump.dump import Dump
from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import FileSource

from .table import Row, table

CAP = 10.0
"seconds after which difflib is stopped"
LINES = 60_000
SOME_CHANGED = 3600

Pair = tuple[str, str]


def rows(dump: Path) -> list[Row]:
    """Measure with one dump, best at op scope and large: that of `encoder.py`."""
    made = assign(index(FileSource(dump)))
    started = time.perf_counter()
    found = changes(made)
    seconds = time.perf_counter() - started
    several = sum(change.changed or change.only_renumbering for change in found)
    result = [Row(f"all {several} changed pairs of the trace", seconds, "10 s", 10.0, 1.0)]
    for name, pair, goal in pairs(made):
        ours = min(_timed(pair) for _ in range(5))
        lines = max(text.count("\n") + 1 for text in pair)
        what = f"{name} ({lines} lines)"
        if goal:
            result.append(Row(what, ours * 1e3, f"{goal * 1e3:g} ms", goal * 1e3, 1.0, "ms"))
        theirs = difflib_seconds(pair)
        label = "difflib" if theirs < CAP else f"difflib, stopped at {CAP:g} s"
        result.append(Row(what, ours * 1e3, label, theirs * 1e3, None, "ms"))
        result += _minimal(what, pair)
    made.close()
    return result


def pairs(dump: Dump) -> Iterator[tuple[str, Pair, float]]:
    """Name, texts before and after, and how many seconds their diff may take (0: no goal)."""
    changed = [change for change in changes(dump) if change.changed]
    near = min(changed, key=lambda change: abs(_length(dump, change.index) - 3000))
    yield near.name, _pair(dump, near.index), 0.005
    order = [change.index for change in random.Random(0).sample(changed, len(changed))]
    yield f"{SOME_CHANGED} lines changed", _some_changed(dump, order), 0.1
    whole = _stack(dump, order)
    yield "changed pairs only", whole, 0.0
    text = whole[1]
    # The two without a goal are beyond what a compiler run holds, and show how it degrades.
    yield "changed at both ends", (text, f"// a\n{text}\n// b"), 0.1
    yield "all values renumbered", (text, re.sub(r"%(\d+)", _next, text)), 0.0


def _next(match: re.Match[str]) -> str:
    return f"%{int(match[1]) + 1}"


def _length(dump: Dump, at: int) -> int:
    return ir(dump, dump[at]).count("\n") + 1


def _pair(dump: Dump, at: int) -> Pair:
    return before(dump, at).text, ir(dump, dump[at])


def _stack(dump: Dump, order: list[int]) -> Pair:
    """Changed pairs one below the other, from the start again if the dump is small."""
    left: list[str] = []
    right: list[str] = []
    lines = 0
    while lines < LINES:
        for at in order:
            old, new = _pair(dump, at)
            left.append(old)
            right.append(new)
            lines += new.count("\n") + 1
            if lines >= LINES:
                break
    return "\n".join(left), "\n".join(right)


def _some_changed(dump: Dump, order: list[int]) -> Pair:
    """Changed pairs until `SOME_CHANGED` lines differ, with equal texts between them."""
    left: list[str] = []
    right: list[str] = []
    found = changes(dump)
    lines = differ = 0
    while lines < LINES:
        for at in order:
            old, new = _pair(dump, at)
            much = found[at].added + found[at].removed
            if differ + much > SOME_CHANGED:
                old = new
            else:
                differ += much
            left.append(old)
            right.append(new)
            lines += new.count("\n") + 1
            if lines >= LINES:
                break
    return "\n".join(left), "\n".join(right)


def _timed(pair: Pair) -> float:
    started = time.perf_counter()
    diff(*pair)
    return time.perf_counter() - started


def difflib_seconds(pair: Pair) -> float:
    """What difflib takes for the same texts, at most `CAP`."""
    worker = multiprocessing.get_context("fork").Process(target=_difflib, args=pair)
    started = time.perf_counter()
    worker.start()
    worker.join(CAP)
    seconds = time.perf_counter() - started
    if worker.is_alive():
        worker.kill()
        worker.join()
        return CAP
    return seconds


def _difflib(old: str, new: str) -> None:
    matcher = difflib.SequenceMatcher(None, old.split("\n"), new.split("\n"), autojunk=False)
    matcher.get_opcodes()


def _minimal(what: str, pair: Pair) -> list[Row]:
    """Added and removed lines, with names blanked, against `diff --minimal`."""
    if shutil.which("diff") is None:
        return []
    old, new = (mask(text, ("ssa",)) for text in pair)
    found = diff(old, new, rules=())
    with tempfile.TemporaryDirectory() as scratch:
        paths = [Path(scratch, name) for name in ("before", "after")]
        for path, text in zip(paths, (old, new), strict=True):
            path.write_text(text.rstrip("\n") + "\n")
        ran = subprocess.run(["diff", "--minimal", *paths], capture_output=True, text=True)
    theirs = sum(line[:1] in ("<", ">") for line in ran.stdout.split("\n"))
    return [Row(what, found.added + found.removed, "diff --minimal", max(theirs, 1), 1.0, "lines")]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump", type=Path)
    print(table(rows(parser.parse_args().dump)))
