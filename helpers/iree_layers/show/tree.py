"""An operation drawn: boxes nested as the program is, and a line from each value to its uses.

show.tree(module)           a live op of iree.compiler.ir
show.tree("func.func @f…")  MLIR text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..dump.tree import Block, Node, Value, grow
from .lexer import plain
from .text import COLUMNS, LINES, count, cut, fit
from .view import View, view

__all__ = ["tree"]

_HIGH, _STEP, _CHAR, _LANE = 21, 14, 7.25, 11
_COLUMNS = 74
"of a row of the drawing"
_TYPE = 34
"characters of a type"


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the picture: an op or the head of a block."""

    depth: int
    text: str
    kind: str
    "`op`, `holder` (an op with regions) or `block`"
    makes: tuple[int, ...] = ()
    uses: tuple[int, ...] = ()
    inside: int = 0
    "rows that belong to it, below it"
    block: str = ""
    goes: tuple[str, ...] = ()
    scope: int = 0
    "which region it is in: names of blocks are its own"


def tree(op: Any, *, uses: bool = True, lines: int = LINES) -> View:
    """The tree of an op: text for a terminal, a drawing for a notebook.

    Args:
        op: an operation or a module of `iree.compiler.ir`, or MLIR text.
        uses: draw a line from each value to the ops that use it.
        lines: rows to show; the rest is counted.

    Raises:
        LayersError: it does not parse, or is no op.
    """
    root = grow(op)
    names = {value.number: value.name for value in _values(root)}
    rows = list(_rows(root, names, 0, [0]))
    lines = min(lines, LINES)
    shown = rows if len(rows) <= lines else rows[: lines - 1]
    rest = [f"… {count(len(rows) - len(shown), 'more row')}"] if len(shown) < len(rows) else []
    text = [*_text(shown), *rest]
    body = _svg(shown, uses=uses) + "".join(f'<p class="m">{line}</p>' for line in rest)
    return view(fit(text), body, "svg", "tree")


def _values(root: Node) -> Iterator[Value]:
    for node in root.walk():
        yield from node.results
        for region in node.regions:
            for block in region:
                yield from block.arguments


def _rows(node: Node, names: dict[int, str], depth: int, scopes: list[int]) -> Iterator[_Row]:
    inner: list[_Row] = []
    for region in node.regions:
        scopes[0] += 1
        inner += _region(region, names, depth + 1, scopes[0], scopes)
    yield _Row(
        depth,
        _op(node, names),
        "holder" if node.regions else "op",
        makes=tuple(value.number for value in node.results),
        uses=node.operands,
        inside=len(inner),
        goes=node.successors,
    )
    yield from inner


def _region(
    region: tuple[Block, ...], names: dict[int, str], depth: int, scope: int, scopes: list[int]
) -> list[_Row]:
    rows: list[_Row] = []
    for block in region:
        # A block without a name to say is no row: its ops stand directly in the op.
        bare = len(region) == 1 and not block.arguments
        ops: list[_Row] = []
        for op in block.ops:
            ops += [_placed(row, scope) for row in _rows(op, names, depth + (not bare), scopes)]
        if not bare:
            says = ", ".join(f"{v.name}: {_type(v.type)}" for v in block.arguments)
            rows.append(
                _Row(
                    depth,
                    f"{block.name}({says})" if says else block.name,
                    "block",
                    makes=tuple(v.number for v in block.arguments),
                    inside=len(ops),
                    block=block.name,
                    scope=scope,
                )
            )
        rows += ops
    return rows


def _placed(row: _Row, scope: int) -> _Row:
    """The row, in this region if it is not in an inner one yet."""
    if row.scope:
        return row
    return _Row(
        row.depth, row.text, row.kind, row.makes, row.uses, row.inside, row.block, row.goes, scope
    )


def _op(node: Node, names: dict[int, str]) -> str:
    """`%2 = arith.addf %0, %1 : f32`, whatever the op's own form is."""
    made = ", ".join(value.name for value in node.results)
    used = ", ".join(names.get(number, "?") for number in node.operands)
    goes = " → " + ", ".join(node.successors) if node.successors else ""
    types = ", ".join(dict.fromkeys(_type(value.type) for value in node.results))
    parts = [f"{made} =" if made else "", node.name, node.symbol, used + goes]
    return " ".join(part for part in parts if part) + (f" : {types}" if types else "")


def _type(text: str) -> str:
    return text if len(text) <= _TYPE else f"{text[: _TYPE - 1]}…"


def _text(rows: list[_Row]) -> Iterator[str]:
    for k, row in enumerate(rows):
        rails = ""
        for depth in range(1, row.depth + 1):
            more = _goes_on(rows, k, depth)
            last = depth == row.depth
            rails += ("├─ " if more else "└─ ") if last else ("│  " if more else "   ")
        yield cut(rails + row.text, COLUMNS)


def _goes_on(rows: list[_Row], k: int, depth: int) -> bool:
    """A later row stands at this depth, before any that stands above it."""
    for row in rows[k + 1 :]:
        if row.depth < depth:
            return False
        if row.depth == depth:
            return True
    return False


def _svg(rows: list[_Row], *, uses: bool) -> str:
    ends = [_left(row) + _CHAR * len(cut(row.text, _COLUMNS, say=False)) + 10 for row in rows]
    edge = max(ends, default=0) + 14
    trunks = list(_trunks(rows)) if uses else []
    lanes = _lanes([(first, max(users)) for first, users in trunks])
    wide = round(edge + _LANE * (max(lanes, default=-1) + 1) + 8)
    jumps = list(_jumps(rows))
    parts = [_box(rows, k, edge) for k, row in enumerate(rows) if row.kind != "op"]
    parts += [
        f'<text class="g" x="{_left(row)}" y="{_middle(k) + 4}">'
        f"{plain(cut(row.text, _COLUMNS, say=False))}</text>"
        for k, row in enumerate(rows)
    ]
    for (first, users), lane in zip(trunks, lanes, strict=True):
        parts.append(_trunk(first, users, ends, round(edge + _LANE * lane + 4)))
    parts += [_jump(source, target, n) for n, (source, target) in enumerate(jumps)]
    left = -10 * len(jumps) - (6 if jumps else 0)
    high = len(rows) * _HIGH + 6
    inner = " ".join(parts)
    box = f"{left} 0 {wide - left} {high}"
    return f'<svg class="tr" viewBox="{box}" width="{wide - left}">{inner}</svg>'


def _left(row: _Row) -> int:
    return 10 + row.depth * _STEP


def _middle(k: int) -> int:
    return k * _HIGH + _HIGH // 2 + 3


def _box(rows: list[_Row], k: int, edge: float) -> str:
    """The frame of an op with regions, or of a block, around all that is inside."""
    row = rows[k]
    inside = min(row.inside, len(rows) - k - 1)
    x, y = _left(row) - 7, k * _HIGH + 3
    kind = "bk" if row.kind == "block" else "bx"
    high = (inside + 1) * _HIGH - 1 - min(row.depth, 3)
    width = round(edge - x - 2 * row.depth - 4)
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{high}" rx="5"/>'


def _trunks(rows: list[_Row]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """For each value that is used: the row that makes it, the rows that use it."""
    for k, row in enumerate(rows):
        for number in row.makes:
            users = tuple(n for n, other in enumerate(rows) if number in other.uses)
            if users:
                yield k, users


def _lanes(spans: list[tuple[int, int]]) -> list[int]:
    """A lane for each span, so that no two in one lane overlap; short ones stay near."""
    lanes = [0] * len(spans)
    taken: list[list[tuple[int, int]]] = []
    for index in sorted(range(len(spans)), key=lambda n: (abs(spans[n][1] - spans[n][0]), n)):
        low, high = sorted(spans[index])
        free = (
            k for k, others in enumerate(taken) if all(high <= a or b <= low for a, b in others)
        )
        lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        lanes[index] = lane
    return lanes


def _trunk(first: int, users: tuple[int, ...], ends: list[float], x: int) -> str:
    """Out of the row that makes a value, along a lane, and into each row that uses it."""
    y, last = _middle(first), max(users, key=lambda k: abs(k - first))
    lines = f"M{round(ends[first])} {y - 3}H{x}V{_middle(last) + 3}"
    arrows = ""
    for user in users:
        there = _middle(user) + 3
        lines += f"M{x} {there}H{round(ends[user]) + 4}"
        arrows += f"M{round(ends[user]) - 1} {there}l6 -3v6z"
    return f'<path class="us" d="{lines}"/><path class="ua" d="{arrows}"/>'


def _jumps(rows: list[_Row]) -> Iterator[tuple[int, int]]:
    """From a terminator to the blocks where control may go on."""
    places = {(row.scope, row.block): k for k, row in enumerate(rows) if row.block}
    for k, row in enumerate(rows):
        for name in row.goes:
            if (row.scope, name) in places:
                yield k, places[row.scope, name]


def _jump(source: int, target: int, n: int) -> str:
    y, there, x = _middle(source), _middle(target), -10 * n - 6
    return f'<path class="cf" d="M8 {y}H{x}V{there}H6"/><path class="ca" d="M12 {there}l-6 -3v6z"/>'
