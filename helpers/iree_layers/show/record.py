"""A record of a run as tables: the commands in their order, then the memory.

show.record(record(vmfb, "mlp", x, w))

Commands of one submission (`sub`) in one group may run at the same time. Times are shown only when
they are asked for: they differ from run to run, and the rest does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..execute.record import Record
from ..execute.submissions import Dispatch, Transfer
from .lexer import plain
from .text import COLUMNS, count, table, width
from .view import View, view

__all__ = ["record"]

_COMMANDS, _ALLOCATIONS = 24, 10
"lines of each table as text"
_ROWS = 500
"rows of each table in a notebook"
_UNKNOWN = "?"


def record(found: Record, *, times: bool = False) -> View:
    """What one call executed: dispatches, copies and fills, and the memory it asked for.

    Args:
        found: the record.
        times: show microseconds; they are not the same twice.
    """
    commands, memory = _commands(found, times), _memory(found)
    said = [str(found), _peak(found), *found.notes]
    text = [said[0]]
    for columns, most, noun in (
        (commands, _COMMANDS, "command"),
        (memory, _ALLOCATIONS, "allocation"),
    ):
        if columns[1]:
            text += ["", *_text(*columns, most, noun)]
    text += ["", *said[1:]]
    parts = "".join(_html(*columns) for columns in (commands, memory) if columns[1])
    head = f'<p class="k">{plain(said[0])}</p>'
    rest = "".join(f'<p class="m">{plain(line)}</p>' for line in said[1:])
    return view(text, f"{head}{parts}{rest}", "table")


_Column = tuple[str, str, int]
"title, side (`l` or `r`), columns of text that it may take"
_Rows = list[tuple[str, ...]]


def _commands(found: Record, times: bool) -> tuple[tuple[_Column, ...], _Rows]:
    several = len(found.devices) > 1
    columns: tuple[_Column, ...] = (
        ("#", "r", 4),
        ("sub", "r", 5),
        ("group", "r", 5),
        *((("on", "l", 14),) if several else ()),
        ("command", "l", 44),
        ("workgroups", "l", 12),
        ("bytes", "r", 13),
        *((("µs", "r", 9),) if times else ()),
        ("operands", "l", 16),
        ("uses", "l", COLUMNS),
    )
    rows: _Rows = []
    works: list[Dispatch | Transfer] = [*found.dispatches, *found.transfers]
    for one in sorted(works, key=lambda work: work.order):
        on = (one.device,) if several else ()
        took = (_time(one),) if times else ()
        rows.append(
            (
                *(str(one.order), str(one.submission), str(one.group), *on, _what(one)),
                *(_workgroups(one), _number(one.bytes), *took, _operands(one), _uses(one)),
            )
        )
    return columns, rows


def _what(one: Dispatch | Transfer) -> str:
    return one.op if isinstance(one, Transfer) else one.name or _UNKNOWN


def _workgroups(one: Dispatch | Transfer) -> str:
    if isinstance(one, Transfer):
        return ""
    return "x".join(map(str, one.workgroup_count)) if one.workgroup_count else _UNKNOWN


def _operands(one: Dispatch | Transfer) -> str:
    if isinstance(one, Transfer):
        return ""
    return _UNKNOWN if one.operands is None else ", ".join(map(str, one.operands))


def _uses(one: Dispatch | Transfer) -> str:
    """`given 0[0+16384], allocation 0[0+16384]`, and for a copy `given 0[…] → …`."""
    if isinstance(one, Transfer):
        target = str(one.target or _UNKNOWN)
        return f"{one.source or _UNKNOWN} → {target}" if one.op == "copy" else f"→ {target}"
    return _UNKNOWN if one.bindings is None else ", ".join(map(str, one.bindings))


def _time(one: Dispatch | Transfer) -> str:
    if isinstance(one, Transfer) or one.nanoseconds is None:
        return ""
    return f"{one.nanoseconds / 1000:,.1f}"


def _number(value: int | None) -> str:
    return _UNKNOWN if value is None else f"{value:,}"


def _memory(found: Record) -> tuple[tuple[_Column, ...], _Rows]:
    columns: tuple[_Column, ...] = (
        ("memory", "l", 20),
        ("bytes", "r", 15),
        ("asked for by", "l", 16),
        ("freed by", "l", 16),
    )
    rows: _Rows = [
        (one.name, f"{one.bytes:,}", _submission(one.submission), _submission(one.freed))
        for one in found.allocations
    ]
    return columns, rows


def _submission(number: int | None) -> str:
    return "" if number is None else f"submission {number}"


def _peak(found: Record) -> str:
    if found.high_water_bytes is None:
        return "most bytes at one time: this record does not say"
    return f"most bytes at one time: {found.high_water_bytes:,}"


def _used(columns: Sequence[_Column], rows: _Rows) -> list[int]:
    """Places of the columns that are not empty in all rows."""
    return [k for k in range(len(columns)) if any(row[k] for row in rows)]


def _text(columns: Sequence[_Column], rows: _Rows, most: int, noun: str) -> list[str]:
    kept = _used(columns, rows)
    head = [columns[k][0] for k in kept]
    cells = [[row[k] for k in kept] for row in rows]
    limits = [columns[k][2] for k in kept]
    if head[-1] == "uses":
        cells = [[*row[:-1], row[-1].replace("allocation ", "alloc ")] for row in cells]
        widths = [max(map(width, column)) for column in zip(head, *cells, strict=True)]
        limits[-1] = COLUMNS - sum(
            min(*pair) + 2 for pair in zip(limits, widths[:-1], strict=False)
        )
    return table(
        head,
        cells,
        align="".join(columns[k][1] for k in kept),
        limits=limits,
        limit=most,
        noun=noun,
    )


def _html(columns: Sequence[_Column], rows: _Rows) -> str:
    kept = _used(columns, rows)
    side = {k: ' class="r"' if columns[k][1] == "r" else "" for k in kept}
    wide = {k: ' class="w"' if columns[k][0] == "uses" else side[k] for k in kept}
    head = "".join(f"<th{side[k]}>{columns[k][0]}" for k in kept)
    body = "".join(
        "<tr>" + "".join(f"<td{wide[k]}>{plain(row[k])}" for k in kept) for row in rows[:_ROWS]
    )
    more = f'<p class="m">… {count(len(rows) - _ROWS, "more row")}</p>' if rows[_ROWS:] else ""
    return f"<table><thead><tr>{head}</thead>{body}</table>{more}"
