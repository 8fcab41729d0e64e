"""A schedule drawn against time: dispatches as boxes, memory as bars, timepoints as edges.

show.schedule(schedule(trace))

Time runs to the right, one column for each step. Below the dispatches stands each allocation of
transient memory, as high as it is large: a bar is a slice from the step that writes it to the last
that reads it, and bars above each other share the time, bars beside each other share the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..compare.schedule import Schedule
from ..compare.work import Work
from .lexer import plain
from .text import LINES, count, table
from .timeline import drawn, lives_of, title, transient, who
from .view import View, view

__all__ = ["schedule"]


def schedule(found: Schedule) -> View:
    """One function's schedule: tables for a terminal, a drawing for a notebook."""
    said = _said(found)
    text = [*_commands(found), "", *_memory(found)]
    room = LINES - 2
    if len(text) > room:
        text = [*text[: room - 1], f"… {count(len(text) - room + 1, 'more line')}"]
    body = f'{drawn(found, said)}<p class="m">{plain(said)}</p>'
    return view([*text, said], body, "svg", "schedule")


def _said(found: Schedule) -> str:
    said = f"{found.function}: {count(len(found.works), 'command')} in {count(found.steps, 'step')}"
    if found.transient is None:
        said += "; sizes are known at run time"
    elif found.transient:
        said += f"; {found.transient:,} transient bytes hold {found.unpacked:,}"
    return f"{said}; also: {', '.join(found.others)}" if found.others else said


def _commands(found: Schedule) -> list[str]:
    rows = [
        (str(w.step), str(w.number), w.affinity, title(w), _parts(w, "wo"), _parts(w, "ro"))
        for w in found.works
    ]
    if len({work.affinity for work in found.works}) < 2:
        kept = [(*row[:2], *row[3:]) for row in rows]
        head: tuple[str, ...] = ("step", "#", "command", "reads", "writes")
        return table(head, kept, align="rrlll", limits=(4, 4, 40, 56, 36), limit=24, noun="command")
    head = ("step", "#", "on", "command", "reads", "writes")
    return table(head, rows, align="rrllll", limits=(4, 4, 14, 36, 50, 30), limit=24)


def _parts(work: Work, not_how: str) -> str:
    """What it reads (`wo` left out) or writes (`ro` left out): `transient 0[0…16,383]`."""
    return ", ".join(
        f"{_short(a.resource)}[{_range(a.offset, a.length)}]"
        for a in work.accesses
        if a.how != not_how
    )


def _short(resource: str) -> str:
    kind, _, number = resource.partition(" ")
    return f"{kind[:5]}{number}" if len(kind) > 8 else f"{kind}{number}"


def _range(offset: int | None, length: int | None) -> str:
    if offset is None or length is None:
        return "…"
    return f"{offset}+{length}"


def _memory(found: Schedule) -> Iterator[str]:
    """A line for each life: its bytes, and a bar over the steps."""
    wide = max(min(60 // max(found.steps, 1), 6), 1)
    for resource in transient(found):
        size = "?" if resource.size is None else f"{resource.size:,}"
        yield f"{resource.name}: {size} bytes"
        for life in lives_of(found, resource):
            bar = " " * (life.first * wide) + "█" * ((life.last - life.first + 1) * wide - 1)
            bar = bar.ljust(found.steps * wide)
            yield f"  {life.offset:>8,} +{life.length:>8,}  {bar} {who(life)}"
