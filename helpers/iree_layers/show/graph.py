"""The dispatch graph drawn: a box for each launch, an arrow for each tensor.

show.graph(graph(trace))

Ranks are longest paths from the inputs; within a rank the boxes stand near those that feed them.
Weights and other globals are counted in the box that takes them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ..compare.graph import Graph, Vertex
from .lexer import plain
from .text import LINES, count, cut, table
from .view import View, view

__all__ = ["graph"]

_WIDE, _HIGH, _GAP_X, _GAP_Y, _CHAR = 262, 40, 24, 30, 6.6
_PILL = 24
_NAME = 34
"characters of a box's first line"


def graph(found: Graph) -> View:
    """Launches and tensors of one function: a table for a terminal, a drawing for a notebook."""
    said = _said(found)
    rows = [_row(found, vertex) for vertex in _drawn(found)]
    text = table(
        ("#", "what", "computes", "makes", "takes"),
        rows,
        align="rllll",
        limits=(4, 56, 40, 26, 20),
        limit=LINES - 1,
        noun="step",
    )
    return view([*text, said], f'{_svg(found)}<p class="m">{plain(said)}</p>', "svg", "graph")


def _said(found: Graph) -> str:
    head = f"{found.function}: {count(len(found.dispatches), 'dispatch')} of "
    head += count(len(found.kernels), "kernel")
    return f"{head}; also launching: {', '.join(found.others)}" if found.others else head


def _drawn(found: Graph) -> tuple[Vertex, ...]:
    """Vertices with a box of their own: not the globals, which would hide the flow."""
    return tuple(v for v in found.vertices if not _is_stored(v))


def _is_stored(vertex: Vertex) -> bool:
    return vertex.op.startswith("util.global.load") or vertex.op == "flow.tensor.constant"


def _row(found: Graph, vertex: Vertex) -> tuple[str, str, str, str, str]:
    sources = [edge.source for edge in found.edges if edge.target == vertex.number]
    stored = sum(_is_stored(found.vertices[number]) for number in sources)
    takes = [str(n) for n in sources if not _is_stored(found.vertices[n])]
    takes += [f"+{count(stored, 'global')}"] if stored else []
    makes = "" if vertex.op == "hal.tensor.export" else _short_type(vertex.type)
    return str(vertex.number), _title(vertex), _computes(vertex), makes, ", ".join(takes)


def _title(vertex: Vertex) -> str:
    if vertex.kernel:
        return vertex.kernel.label
    if vertex.op in ("hal.tensor.import", "hal.tensor.export"):
        return vertex.name or vertex.op
    return f"{vertex.op} {vertex.name}".rstrip()


def _computes(vertex: Vertex) -> str:
    """`batch_matmul, 2 generic`, the root in front."""
    if not vertex.kernel:
        return ""
    counts = Counter(name.partition(".")[2] for name in vertex.kernel.ops)
    root = vertex.kernel.root.partition(".")[2]
    names = sorted(counts, key=lambda name: name != root)
    said = ", ".join(f"{counts[n]} {n}" if counts[n] > 1 else n for n in names)
    return said or "copies"


def _short_type(text: str) -> str:
    return text.removeprefix("tensor<").removesuffix(">")


def _svg(found: Graph) -> str:
    drawn = _drawn(found)
    ranks = _ranks(found, drawn)
    place = dict(_places(found, ranks))
    widest = max((len(row) for row in ranks), default=1)
    wide = widest * (_WIDE + _GAP_X) + 8
    bottom = max((y for _, y in place.values()), default=0) + _HIGH + 8
    boxes = "".join(_box(found, vertex, *place[vertex.number]) for vertex in drawn)
    shared = Counter((e.source, e.target) for e in found.edges)
    lines = "".join(
        _arrow(found, source, target, place)
        for source, target in shared
        if source in place and target in place
    )
    label = plain(_said(found))
    return (
        f'<svg class="dg" viewBox="0 0 {wide} {bottom}" width="{wide}" role="img" '
        f'aria-label="{label}">{lines}{boxes}</svg>'
    )


def _ranks(found: Graph, drawn: Sequence[Vertex]) -> list[list[int]]:
    """Numbers of the vertices of each rank, ordered so that arrows cross little."""
    shown = {vertex.number for vertex in drawn}
    before: dict[int, list[int]] = defaultdict(list)
    for edge in found.edges:
        if edge.source in shown and edge.target in shown:
            before[edge.target].append(edge.source)
    rank: dict[int, int] = {}
    for vertex in drawn:  # a value is made before it is used
        rank[vertex.number] = max((rank[n] + 1 for n in before[vertex.number]), default=0)
    rows: list[list[int]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    for number, level in rank.items():
        rows[level].append(number)
    where: dict[int, float] = {}
    for row in rows:
        wanted = {
            n: sum(where[m] for m in before[n]) / len(before[n]) if before[n] else float(k)
            for k, n in enumerate(row)
        }
        row.sort(key=lambda n: (wanted[n], n))
        middle = (len(row) - 1) / 2
        centre = sum(wanted.values()) / len(row) if any(before[n] for n in row) else middle
        where.update((n, k - middle + centre) for k, n in enumerate(row))
    return rows


def _places(found: Graph, ranks: list[list[int]]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Left upper corner of every box."""
    widest = max((len(row) for row in ranks), default=1)
    y = 4
    for row in ranks:
        left = 4 + (widest - len(row)) * (_WIDE + _GAP_X) // 2
        for k, number in enumerate(row):
            yield number, (left + k * (_WIDE + _GAP_X), y)
        tall = any(found.vertices[number].is_dispatch for number in row)
        y += (_HIGH if tall else _PILL) + _GAP_Y


def _high(vertex: Vertex) -> int:
    return _HIGH if vertex.is_dispatch else _PILL


def _box(found: Graph, vertex: Vertex, x: int, y: int) -> str:
    title = plain(cut(_title(vertex), _NAME, say=False))
    middle = x + _WIDE // 2
    if not vertex.is_dispatch:
        kind = _short_type(vertex.type)
        return (
            f'<rect class="pl" x="{x + 40}" y="{y}" width="{_WIDE - 80}" height="{_PILL}" rx="12"/>'
            f'<text class="i" x="{middle}" y="{y + 16}">{title} '
            f'<tspan class="u">{plain(cut(kind, 20, say=False))}</tspan></text>'
        )
    stored = sum(
        _is_stored(found.vertices[e.source]) for e in found.edges if e.target == vertex.number
    )
    said = _computes(vertex) + (f" · {count(stored, 'global')}" if stored else "")
    full = plain(f"{vertex.name}: {_computes(vertex)} → {vertex.type}")
    return (
        f'<g><title>{full}</title><rect class="bx" x="{x}" y="{y}" width="{_WIDE}" '
        f'height="{_HIGH}" rx="6"/><text class="g y" x="{x + 9}" y="{y + 17}">{title}</text>'
        f'<text class="u" x="{x + 9}" y="{y + 32}">{plain(cut(said, 44, say=False))}</text></g>'
    )


def _arrow(found: Graph, source: int, target: int, place: dict[int, tuple[int, int]]) -> str:
    x, y = place[source]
    u, v = place[target]
    x, u = x + _WIDE // 2, u + _WIDE // 2
    top = y + _high(found.vertices[source])
    far = v - top > _GAP_Y + 4
    if far and _is_free(x, top, v, place):
        path = f"M{x} {top}V{v - _GAP_Y}C{x} {v - 12} {u} {v - _GAP_Y + 6} {u} {v - 5}"
    elif far:
        # Past the boxes between: along the right side of the target's column.
        side, x, u = u + _WIDE // 2 + 10, x + 60, u + 60
        path = f"M{x} {top}C{side} {top + 20} {side} {top + 20} {side} {top + 40}V{v - 34}"
        path += f"C{side} {v - 14} {u} {v - 24} {u} {v - 5}"
    else:
        bend = max((v - top) // 2, 10)
        path = f"M{x} {top}C{x} {top + bend} {u} {v - bend} {u} {v - 5}"
    return f'<path class="ln" d="{path}"/><path class="ar" d="M{u - 4} {v - 7}h8l-4 7z"/>'


def _is_free(x: int, top: int, bottom: int, place: dict[int, tuple[int, int]]) -> bool:
    """No box stands in the way straight down."""
    return not any(
        left - 6 <= x <= left + _WIDE + 6 and top <= y < bottom - _HIGH // 2
        for left, y in place.values()
    )
