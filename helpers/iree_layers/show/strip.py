"""The strip of layers: one bar for each, as long as it has snapshots, dark where IR changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..compare.layers import LayerRow, layers
from ..dump.dump import Dump
from ..dump.trace import Trace
from .lexer import plain
from .text import count, table
from .view import View, view

__all__ = ["drawing", "strip"]

_NAME, _BAR, _HIGH, _HEAD = 190, 350, 22, 24
_WIDE = _NAME + _BAR + 150
_LEGEND = '<span class="b1">■</span> changed the IR <span class="b0">■</span> did not'


def strip(trace: Trace | Dump) -> View:
    """All layers of a trace in the compiler's order, with how much happened in each."""
    rows = tuple(layers(trace))
    said = "; ".join([_sum(rows), *remarks(trace)])
    body = "".join(
        f'<tr><td><code>{plain(_name(row))}</code><td><svg viewBox="0 0 {_BAR} 14" width="{_BAR}">'
        f'{_rectangles(row, rows, 0, 0)}</svg><td class="r">{row.snapshots:,}'
        f'<td class="r">{row.changed:,}'
        for row in rows
    )
    head = f'<th>layer<th>{_LEGEND}<th class="r">snapshots<th class="r">changed'
    return view(
        [*_text(rows), said],
        f'<table><thead><tr>{head}</thead>{body}</table><p class="m">{plain(said)}</p>',
        "table",
        "svg",
    )


def drawing(trace: Trace | Dump) -> str:
    """The strip as one `<svg>` element, for `page.picture`."""
    rows = tuple(layers(trace))
    high = _HEAD + len(rows) * _HIGH + 22
    return (
        f'<svg viewBox="0 0 {_WIDE} {high}" width="{_WIDE}" role="img" aria-label="{_sum(rows)}">\n'
        + "\n".join([*_head(), *_bodies(rows)])
        + f'\n<text class="u" x="0" y="{high - 6}">{_sum(rows)}</text></svg>'
    )


def remarks(trace: Trace | Dump, layer: str | None = None) -> list[str]:
    """What to know before counts are compared: a layer that is not complete, hidden snapshots.

    Args:
        trace: a trace or a dump.
        layer: the only layer that is shown; None: all.
    """
    said = []
    failed = next((snapshot for snapshot in trace if snapshot.header.failed), None)
    last = failed or (trace[-1] if len(trace) else None)
    if last and layer in (None, last.layer):
        if failed:
            said.append(f"{failed.name} failed: layer {failed.layer} is not complete")
        elif isinstance(trace, Trace) and trace.exit:
            stop = f"the compiler ended with {trace.exit}"
            said.append(f"{stop}: layer {last.layer} is not complete")
    dump = trace.dump if isinstance(trace, Trace) else trace
    if dump.hidden:
        hidden = count(dump.hidden, "snapshot")
        said.append(f"{hidden} hidden: what passes did there counts for the next one that is shown")
    return said


def _sum(rows: Sequence[LayerRow]) -> str:
    changed = sum(row.changed for row in rows)
    said = f"{count(sum(row.snapshots for row in rows), 'snapshot')}, {changed:,} changed the IR"
    guessed = any(row.guessed for row in rows)
    return f"{said}; ? is a best fit, without the compiler's markers" if guessed else said


def _name(row: LayerRow) -> str:
    return f"{row.name}?" if row.guessed else row.name


def _text(rows: Sequence[LayerRow]) -> list[str]:
    most = max((row.snapshots for row in rows), default=1)
    return table(
        ("layer", "snapshots", "changed", "█ changed the IR, ░ did not"),
        [(_name(r), f"{r.snapshots:,}", f"{r.changed:,}", _bars(r, most)) for r in rows],
        align="lrrl",
        limits=(32, 12, 12, 80),
        limit=38,
        noun="layer",
    )


def _bars(row: LayerRow, most: int) -> str:
    whole = max(round(row.snapshots / most * 60), 1)
    dark = min(max(round(row.changed / most * 60), int(row.changed > 0)), whole)
    return "█" * dark + "░" * (whole - dark)


def _rectangles(row: LayerRow, rows: Sequence[LayerRow], x: int, y: int) -> str:
    most = max(each.snapshots for each in rows)
    place = (f' x="{x}"' if x else "") + (f' y="{y}"' if y else "")
    return "".join(
        f'<rect class="{kind}"{place} width="{max(n * _BAR // most, 2)}" height="14" rx="2"/>'
        for kind, n in (("b0", row.snapshots), ("b1", row.changed))
        if n
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
    for k, row in enumerate(rows):
        y = _HEAD + k * _HIGH
        yield (
            f'<text class="g" x="0" y="{y + 14}">{plain(_name(row))}</text>'
            f"{_rectangles(row, rows, _NAME, y + 3)}"
            f'<text class="e" x="{_WIDE - 70}" y="{y + 15}">{row.snapshots:,}</text>'
            f'<text class="e" x="{_WIDE}" y="{y + 15}">{row.changed:,}</text>'
        )
