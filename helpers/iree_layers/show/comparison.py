"""Two compiles compared: where they are alike, where they part, and a row for each layer."""

from __future__ import annotations

from ..compare.comparison import Comparison, Row
from .lexer import plain
from .text import count, cut, table
from .view import View, view

__all__ = ["comparison"]

_HEAD = ("layer", "passes", "same", "only names", "different", "only a", "only b")


def comparison(found: Comparison) -> View:
    """The comparison in a few lines; `show.diff(found.diff(found.first))` shows the texts."""
    lines = [*_said(found)]
    rows = [_cells(row) for row in found.layers]
    text = [*lines, "", *table(_HEAD, rows, align="lrrrrrr", limit=24, noun="layer")]
    head = "".join(f"<th{' class=r' if k else ''}>{name}" for k, name in enumerate(_HEAD))
    body = "".join(
        "<tr>" + "".join(f"<td{' class=r' if k else ''}>{cell}" for k, cell in enumerate(row))
        for row in rows
    )
    said = "".join(f"<p>{plain(cut(line, 140))}</p>" for line in lines)
    html = f"{said}<table><thead><tr>{head}</thead>{body}</table>"
    return view([cut(line) for line in text], html, "table")


def _said(found: Comparison) -> list[str]:
    lines = []
    if found.inputs_differ:
        lines.append("the programs differ before any pass")
    first = found.first
    if first is None:
        lines.append(f"alike after all of {count(len(found.pairs), 'pass')}")
        return lines
    alike = found.pairs.index(first)
    lines.append(f"alike after {count(alike, 'pass')}; then {first}")
    if first.a is not None and first.b is not None:
        change = found.diff(first)
        lines.append(f"the two texts: {change.added} lines more in b, {change.removed} in a")
    one, two = found.options(first)
    if one != two:
        lines.append(f"options in a: {one or 'none'}")
        lines.append(f"options in b: {two or 'none'}")
    return lines


def _cells(row: Row) -> tuple[str, ...]:
    numbers = (row.pairs, row.same, row.renumbered, row.different, row.only_a, row.only_b)
    return (row.layer, *(f"{number:,}" if number else "·" for number in numbers))
