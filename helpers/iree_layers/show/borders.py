"""The borders of the layers: which dialects come in, which go out, with numbers of ops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..compare.layers import LayerRow, layers
from ..dump.dump import Dump
from ..dump.trace import Trace
from .lexer import plain
from .text import count, table
from .view import View, view

__all__ = ["borders"]

_SHOWN = 7
"dialects of a side that are named; the others are counted"


def borders(trace: Trace | Dump) -> View:
    """For each layer, ops by dialect before its first and after its last pass.

    In the column on the right, `+` stands before a dialect that came to be in this layer, `−`
    before one of which nothing is left.
    """
    rows = tuple(layers(trace))
    text = table(
        ("layer", "comes in", "goes out", "new (+), gone (−)"),
        [(r.name, _side(r.ops_in), _side(r.ops_out), _news(r)) for r in rows],
        align="llll",
        limits=(26, 44, 44, 30),
        noun="layer",
    )
    head = "<th>layer<th>comes in<th>goes out<th>new (+), gone (−)"
    body = "".join(map(_html, rows))
    return view(text, f"<table><thead><tr>{head}</thead>{body}</table>", "table")


def _side(ops: Mapping[str, int]) -> str:
    """`linalg 4, arith 2, … 3 more dialects`, largest first."""
    named = _sorted(ops)
    shown = [f"{name} {number:,}" for name, number in named[:_SHOWN]]
    if len(named) > _SHOWN:
        shown.append(f"… {count(len(named) - _SHOWN, 'more dialect')}")
    return ", ".join(shown) or "nothing"


def _sorted(ops: Mapping[str, int]) -> Sequence[tuple[str, int]]:
    """Most ops first; equal numbers by name, so that the order never depends on a hash."""
    return sorted(((name, n) for name, n in ops.items() if n), key=lambda pair: (-pair[1], pair[0]))


def _news(row: LayerRow) -> str:
    new = sorted(name for name, n in row.ops_out.items() if n and not row.ops_in.get(name))
    gone = sorted(name for name, n in row.ops_in.items() if n and not row.ops_out.get(name))
    return ", ".join([f"+{name}" for name in new] + [f"−{name}" for name in gone])


def _html(row: LayerRow) -> str:
    return (
        f'<tr><td><code>{plain(row.name)}</code><td class="w">{plain(_side(row.ops_in))}'
        f'<td class="w">{plain(_side(row.ops_out))}<td class="w">{plain(_news(row))}'
    )
