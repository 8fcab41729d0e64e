"""Some snapshots of a dump as a dump: the rest is hidden, and counted."""

from __future__ import annotations

import difflib
import fnmatch
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import DumpError
from .snapshot import Snapshot

if TYPE_CHECKING:
    from .dump import Dump

__all__ = ["only"]


def only(dump: Dump, pattern: str) -> Dump:
    """See `Dump.only`."""
    glob = pattern.removeprefix("@")
    kept = [each for each in dump.snapshots if _matches(each, glob)]
    if not kept:
        raise DumpError(
            f"no snapshot of {dump.origin} has a symbol or dispatch like {pattern!r}",
            todo=_near(glob, dump.snapshots),
        )
    return _view(dump, kept)


def _names(snapshot: Snapshot) -> set[str]:
    return {name for name in (snapshot.symbol, snapshot.header.symbol, snapshot.dispatch) if name}


def _matches(snapshot: Snapshot, glob: str) -> bool:
    return any(fnmatch.fnmatchcase(name, glob) for name in _names(snapshot))


def _near(glob: str, snapshots: tuple[Snapshot, ...]) -> str:
    names = sorted({name for each in snapshots for name in _names(each)})
    near = difflib.get_close_matches(glob, names, n=3, cutoff=0.4) or names[:8]
    return f"symbols of this dump are e.g. {', '.join(near)}" if near else "it has no symbols"


def _view(dump: Dump, kept: list[Snapshot]) -> Dump:
    """The dump with nothing but `kept`, numbered anew; what belongs to the others is hidden."""
    number = {each.index: new for new, each in enumerate(kept)}
    first: dict[str, int] = {}
    snapshots = []
    for new, each in enumerate(kept):
        same = first.setdefault(each.content, new)
        snapshots.append(replace(each, index=new, same_as=None if same == new else same))
    noise = tuple(
        replace(each, after=number.get(each.after, -1))
        for each in dump.noise
        if each.after in number or each.after == -1
    )
    ranges = list(dump.hidden_ranges)
    ranges += [(each.start, each.end) for each in dump.snapshots if each.index not in number]
    return replace(
        dump,
        snapshots=tuple(snapshots),
        noise=noise,
        hidden=dump.hidden + len(dump) - len(kept),
        hidden_ranges=_merged(sorted(ranges)),
    )


def _merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in ranges:
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)
