"""The strip of layers: one bar for each, as long as it has snapshots, dark where IR changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..compare.layers import LayerRow, layers
from ..dump.dump import Dump
from ..dump.trace import Trace
from .lexer import plain
from .text import bar, count, table
from .view import View, view

__all__ = ["strip"]

_NAME, _BAR, _HIGH, _HEAD = 190, 350, 22, 24
_WIDE = _NAME + _BAR + 150


def strip(trace: Trace | Dump) -> View:
    """All layers of a trace in the compiler's order, with how much happened in each."""
    rows = tuple(layers(trace))
    total, changed = sum(r.snapshots for r in rows), sum(r.changed for r in rows)
    says = f"{count(total, 'snapshot')}, {changed:,} changed the IR"
    return view([*_text(rows), says], _svg(rows, says), "svg")


def _text(rows: Sequence[LayerRow]) -> list[str]:
    most = max((r.snapshots for r in rows), default=1)
    return table(
        ("layer", "snapshots", "changed", "█ changed the IR, ░ did not"),
        [(r.name, f"{r.snapshots:,}", f"{r.changed:,}", _bars(r, most)) for r in rows],
        align="lrrl",
        limits=(32, 12, 12, 80),
        limit=39,
        noun="layer",
    )


def _bars(row: LayerRow, most: int) -> str:
    whole = max(round(row.snapshots / most * 60), 1)
    dark = min(max(round(row.changed / most * 60), int(row.changed > 0)), whole)
    return bar(1, dark) + "░" * (whole - dark)


def _svg(rows: Sequence[LayerRow], says: str) -> str:
    high = _HEAD + len(rows) * _HIGH + 22
    return (
        f'<svg viewBox="0 0 {_WIDE} {high}" width="{_WIDE}" role="img" '
        f'aria-label="Strip of layers: {plain(says)}">\n'
        + "\n".join([*_head(), *_bodies(rows)])
        + f'\n<text class="u" x="0" y="{high - 6}">{plain(says)}</text></svg>'
    )


def _head() -> Iterator[str]:
    yield '<text class="u" x="0" y="14">layer</text>'
    yield f'<rect class="b1" x="{_NAME}" y="5" width="10" height="10"/>'
    yield f'<text class="u" x="{_NAME + 15}" y="14">changed the IR</text>'
    yield f'<rect class="b0" x="{_NAME + 110}" y="5" width="10" height="10"/>'
    yield f'<text class="u" x="{_NAME + 125}" y="14">did not</text>'
    yield f'<text class="u e" x="{_WIDE - 70}" y="14">snapshots</text>'
    yield f'<text class="u e" x="{_WIDE}" y="14">changed</text>'


def _bodies(rows: Sequence[LayerRow]) -> Iterator[str]:
    most = max((r.snapshots for r in rows), default=1)
    for k, row in enumerate(rows):
        y = _HEAD + k * _HIGH
        whole, dark = (max(n * _BAR // most, 2 * (n > 0)) for n in (row.snapshots, row.changed))
        yield (
            f'<text class="g" x="0" y="{y + 14}">{plain(row.name)}</text>'
            f'<rect class="b0" x="{_NAME}" y="{y + 3}" width="{whole}" height="14" rx="2"/>'
            f'<rect class="b1" x="{_NAME}" y="{y + 3}" width="{dark}" height="14" rx="2"/>'
            f' <text class="e" x="{_WIDE - 70}" y="{y + 15}">{row.snapshots:,}</text>'
            f' <text class="e" x="{_WIDE}" y="{y + 15}">{row.changed:,}</text>'
        )
