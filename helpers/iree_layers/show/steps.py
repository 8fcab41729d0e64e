"""What each pass of a pipeline did, as a table: one row per pass.

show.steps(opt(text, "builtin.module(func.func(cse),canonicalize)"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compare.census import dialects
from ..compare.diff import diff
from ..dump.steps import Steps
from ..errors import LayersError
from .lexer import plain
from .text import count, table
from .view import View, view

if TYPE_CHECKING:
    from ..dump.snapshot import Snapshot

__all__ = ["steps"]

_HEAD = ("#", "pass", "on", "lines", "dialects after it")
_LIMITS = (3, 44, 24, 9, 56)


def steps(found: Steps | object) -> View:
    """A table of a pipeline's passes: lines changed, and the dialects that are there afterwards.

    Args:
        found: what `opt` or `passes` gave, or the `partial` of their error.

    Raises:
        LayersError: it is something else.
    """
    if not isinstance(found, Steps):
        raise LayersError(
            f"a {type(found).__name__} has no steps", expected="what opt or passes gave"
        )
    before: dict[str, int] = {}
    rows = []
    changed = 0
    for snapshot in found:
        if snapshot.header.when == "Before":
            continue
        lines = _lines(found, snapshot)
        changed += lines not in ("·", "failed")
        now = dialects(found.after(snapshot.index))
        rows.append((str(snapshot.index), snapshot.name, _on(snapshot), lines, _flows(before, now)))
        before = dict(now)
    title = f"{count(len(rows), 'pass')}, {changed} changed the IR"
    text = [title, *table(_HEAD, rows, align="rllrl", limits=_LIMITS, limit=38, noun="pass")]
    head = "".join(f"<th>{name}</th>" for name in _HEAD)
    cells = "".join(
        "<tr>" + "".join(f"<td>{plain(cell)}</td>" for cell in row) + "</tr>" for row in rows[:37]
    )
    body = f'<p class="k">{title}</p><table><thead><tr>{head}</tr></thead>{cells}</table>'
    return view(text, body, "table")


def _lines(found: Steps, snapshot: Snapshot) -> str:
    if snapshot.header.failed:
        return "failed"
    change = diff(found.before(snapshot.index), found.after(snapshot.index))
    return "·" if not change.added + change.removed else f"+{change.added} −{change.removed}"


def _on(snapshot: Snapshot) -> str:
    op = snapshot.header.op or snapshot.op or ""
    symbol = snapshot.header.symbol or snapshot.symbol
    return f"{op} @{symbol}" if symbol else op


def _flows(before: dict[str, int], now: dict[str, int]) -> str:
    """Dialects by count; one that was not there before has a plus."""
    names = [name for name in now if name != "builtin"]
    return " ".join(
        f"{'+' if before and name not in before else ''}{name} {now[name]}" for name in names
    )
