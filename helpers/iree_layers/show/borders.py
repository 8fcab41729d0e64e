"""The borders of the layers: which dialects come in, which go out, with numbers of ops."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..compare.layers import LayerRow, layers
from ..dump.dump import Dump
from ..dump.trace import Trace
from .lexer import plain
from .strip import remarks
from .text import count, table
from .view import View, view

__all__ = ["borders"]

_SHOWN = 9
"dialects of a side that a notebook names; the others are counted"
_SHOWN_IN_TEXT = 3
_UNSEEN = "not seen"
"for a dump without a snapshot of the whole program, which has one op at least"
_NEWS = 43
"columns for what is new and gone"


def borders(trace: Trace | Dump) -> View:
    """For each layer, ops by dialect before its first and after its last pass.

    In the column on the right, `+` stands before a dialect that came to be in this layer, `−`
    before one of which nothing is left.
    """
    rows = tuple(layers(trace))
    text = table(
        ("layer", "comes in", "goes out", "new (+), gone (−)"),
        [(r.name, _side(r.ops_in), _side(r.ops_out), _short(_news(r))) for r in rows],
        align="llll",
        limits=(25, 38, 38, _NEWS),
        noun="layer",
    )
    rest = remarks(trace)
    head = "<th>layer<th>comes in<th>goes out<th>new (+), gone (−)"
    body = "".join(map(_html, rows))
    shown = f"<table><thead><tr>{head}</thead>{body}</table>"
    remark = "".join(f'<p class="m">{plain(line)}</p>' for line in rest)
    return view([*text, *rest], shown + remark, "table")


def _side(ops: Mapping[str, int]) -> str:
    """`linalg 4, arith 2, util 2, +3`, largest first."""
    named = _sorted(ops)
    shown = [f"{name} {number:,}" for name, number in named[:_SHOWN_IN_TEXT]]
    if len(named) > _SHOWN_IN_TEXT:
        shown.append(f"+{len(named) - _SHOWN_IN_TEXT}")
    return ", ".join(shown) or _UNSEEN


def _sorted(ops: Mapping[str, int]) -> Sequence[tuple[str, int]]:
    """Most ops first; equal numbers by name, so that the order never depends on a hash."""
    return sorted(((name, n) for name, n in ops.items() if n), key=lambda pair: (-pair[1], pair[0]))


def _news(row: LayerRow) -> list[str]:
    new = sorted(name for name, n in row.ops_out.items() if n and not row.ops_in.get(name))
    gone = sorted(name for name, n in row.ops_in.items() if n and not row.ops_out.get(name))
    return [f"+{name}" for name in new] + [f"−{name}" for name in gone]


def _short(names: Sequence[str]) -> str:
    """As many names as fit, and the number of the others."""
    for shown in range(len(names), 0, -1):
        rest = [f"… {len(names) - shown} more"] if shown < len(names) else []
        text = ", ".join([*names[:shown], *rest])
        if len(text) <= _NEWS:
            return text
    return count(len(names), "change") if names else ""


def _html(row: LayerRow) -> str:
    new = {name for name in row.ops_out if not row.ops_in.get(name)}
    return (
        f'<tr><td><code>{plain(row.name)}</code><td class="w">{_named(row.ops_in, set())}'
        f'<td class="w">{_named(row.ops_out, new)}<td class="w">{plain(", ".join(_news(row)))}'
    )


def _named(ops: Mapping[str, int], new: Collection[str]) -> str:
    named = _sorted(ops)
    shown = [
        f"<b>{plain(name)}</b> {number:,}" if name in new else f"{plain(name)} {number:,}"
        for name, number in named[:_SHOWN]
    ]
    if len(named) > _SHOWN:
        shown.append(f"… {count(len(named) - _SHOWN, 'more dialect')}")
    return ", ".join(shown) or _UNSEEN
