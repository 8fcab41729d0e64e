"""`iree-layers open` and what other commands take as a dump: a file, a folder, a stored trace."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..dump.dump import Dump, open_dump
from ..dump.opening import trace_in
from ..dump.store import is_stored, load
from ..dump.trace import Trace
from ..show.summary import summary
from .facts import facts_of, say

__all__ = ["opened", "run_open"]


def run_open(options: argparse.Namespace) -> int:
    """`iree-layers open`: what is in a dump, a folder of dumps, or a stored trace."""
    found = opened(options.file)
    dump = found.dump if isinstance(found, Trace) else found
    say(options.json, facts_of(dump, found), str(summary(found)))
    return 0


def opened(file: str) -> Trace | Dump:
    """A stored trace as that: it knows more than its dump, e.g. that only changes were printed."""
    path = Path(file).expanduser()
    if file != "-" and (is_stored(path) or (path.is_dir() and trace_in(path))):
        found = load(path)
        if isinstance(found, Trace):
            return found
    return open_dump(file)
