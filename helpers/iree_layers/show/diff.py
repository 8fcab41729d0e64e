"""A difference of two IR texts, to look at: what went, what came, and which words of a line.

The text is a unified diff. A notebook shows both sides next to each other, or (with
`side_by_side=False`) the same as the text. Only lines that changed are in it, with a few equal
ones around them; how many are not is said where they would stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..compare.difference import Diff, Row
from ..compare.normalise import aliases, spell_out
from .lexer import coloured, plain
from .text import COLUMNS, LINES, count, cut
from .view import View, view
from .words import aimed, differing

__all__ = ["diff"]

_HTML_COLUMNS = 112
"a cell of the side-by-side table wraps its line, so it may have some rows"


@dataclass(frozen=True, slots=True)
class _Line:
    """A row to show: both sides, or a gap."""

    left: tuple[int, str] | None
    "number of the line, counted from 1, and its text"
    right: tuple[int, str] | None
    kind: str
    "`equal`, `changed`, `removed`, `added`, or `gap`"
    hidden: int = 0
    "of a gap: rows that are not shown"


def diff(
    found: Diff,
    *,
    title: str = "",
    side_by_side: bool = True,
    context: int = 2,
    lines: int = LINES,
) -> View:
    """Show a `Diff`.

    Args:
        found: what `iree_layers.diff` or the changes of a trace gave.
        title: a line above it.
        side_by_side: in a notebook, before on the left and after on the right.
        context: equal lines around each change.
        lines: rows at most (40 with the head and the remark is the most).
    """
    head = f"{title}: {found}" if title else str(found)
    top = f'<p class="k">{plain(title)} <span class="m">{plain(str(found))}</span></p>'
    if not found.hunks:
        return view([head], top)
    every = list(_lines(found, context))
    room = min(lines, LINES) - 2
    text, text_rest = _first(every, room, unified=True)
    html, html_rest = _first(every, room, unified=not side_by_side)
    rows = _sides(html) if side_by_side else _unified(html)
    body = f'{top}<table class="d" dir="ltr">{"".join(rows)}</table>'
    if html_rest:
        body += f'<p class="m">{html_rest}</p>'
    return view([head, *_text(text), *filter(None, [text_rest])], body, "code", "table", "diff")


def _lines(found: Diff, context: int) -> Iterator[_Line]:
    """Changed rows with their context, and the gaps between."""
    rows = list(found.rows())
    changed = [k for k, row in enumerate(rows) if row.kind in ("changed", "removed", "added")]
    near = {k + d for k in changed for d in range(-context, context + 1)}
    names = aliases(found.before), aliases(found.after)
    gap = 0
    for k, row in enumerate(rows):
        if k not in near:
            gap += 1
            continue
        if gap:
            yield _Line(None, None, "gap", gap)
        gap = 0
        yield _line(found, row, names)
    if gap:
        yield _Line(None, None, "gap", gap)


def _line(found: Diff, row: Row, names: tuple[dict[str, str], dict[str, str]]) -> _Line:
    left = (row.left, found.before[row.left - 1]) if row.left else None
    right = (row.right, found.after[row.right - 1]) if row.right else None
    if row.kind in ("equal", "renamed"):
        return _Line(left, right, "equal")
    if left and right and left[1] == right[1]:
        # The same words, but an alias in them stands for something else.
        left = (left[0], spell_out(left[1], names[0]))
        right = (right[0], spell_out(right[1], names[1]))
    return _Line(left, right, row.kind)


def _first(every: Sequence[_Line], room: int, *, unified: bool) -> tuple[list[_Line], str]:
    """As many rows as there is room for, and a remark on the rest."""
    taken = 0
    for k, line in enumerate(every):
        # Below each other, the two sides of a changed row are two lines.
        taken += 2 if unified and line.kind == "changed" else 1
        if taken > room:
            rest = every[k:]
            gone = sum(r.left is not None for r in rest if r.kind != "equal")
            come = sum(r.right is not None for r in rest if r.kind != "equal")
            return list(every[:k]), f"… {count(len(rest), 'more row')} (+{come} -{gone})"
    return list(every), ""


def _blocks(shown: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Runs of changed rows together: a unified diff has all that went before all that came."""
    block: list[_Line] = []
    for line in shown:
        if line.kind in ("equal", "gap"):
            if block:
                yield block
            block = []
            yield [line]
        else:
            block.append(line)
    if block:
        yield block


def _text(shown: Sequence[_Line]) -> Iterator[str]:
    for block in _blocks(shown):
        pairs = [_aimed(line, COLUMNS - 2) for line in block]
        if block[0].kind == "gap":
            yield f"  ⋯ {count(block[0].hidden, 'equal line')}"
        elif block[0].kind == "equal":
            yield f"  {pairs[0][1]}"
        else:
            yield from (f"- {left}" for left, _ in pairs if left is not None)
            yield from (f"+ {right}" for _, right in pairs if right is not None)


def _aimed(line: _Line, columns: int) -> tuple[str | None, str | None]:
    if line.left and line.right and line.kind == "changed":
        return aimed(line.left[1], line.right[1], columns)
    left = cut(line.left[1], columns) if line.left else None
    return left, cut(line.right[1], columns) if line.right else None


def _sides(shown: Sequence[_Line]) -> Iterator[str]:
    for line in shown:
        if line.kind == "gap":
            yield f'<tr><td><td class="m" colspan="3">⋯ {count(line.hidden, "equal line")}</tr>'
            continue
        left, right = _coloured(line, _HTML_COLUMNS)
        yield f"<tr>{_cell(line.left, left, line, 'rm')}{_cell(line.right, right, line, 'ad')}</tr>"


def _unified(shown: Sequence[_Line]) -> Iterator[str]:
    for block in _blocks(shown):
        if block[0].kind == "gap":
            hidden = count(block[0].hidden, "equal line")
            yield f"<tr><td><td class=m>⋯ {hidden}</tr>"
            continue
        pairs = [_coloured(line, 132) for line in block]
        both = list(zip(block, pairs, strict=True))
        if block[0].kind == "equal":
            yield f"<tr>{_cell(block[0].right, pairs[0][1], block[0], 'ad')}</tr>"
            continue
        for line, (left, _) in both:
            if line.left:
                yield f"<tr>{_cell(line.left, left, line, 'rm')}</tr>"
        for line, (_, right) in both:
            if line.right:
                yield f"<tr>{_cell(line.right, right, line, 'ad')}</tr>"


def _cell(side: tuple[int, str] | None, html: str, line: _Line, kind: str) -> str:
    """Two cells: the number and the text. HTML lets `</td>` be left out, and 40 rows have many."""
    if side is None:
        return "<td><td>"
    if line.kind == "equal":
        return f'<td class="n r">{side[0]}<td class=x>{html}'
    # The sign says the same as the colour, to those who do not see that.
    sign = "−" if kind == "rm" else "+"
    return f'<td class="n r">{side[0]} {sign}<td class="x {kind}">{html}'


def _coloured(line: _Line, columns: int) -> tuple[str, str]:
    left, right = _aimed(line, columns)
    marks = differing(left, right) if line.kind == "changed" and left and right else ((), ())
    return (
        "" if left is None else coloured(left, marks[0]),
        "" if right is None else coloured(right, marks[1]),
    )
