"""The table of passes: those that changed the IR as rows, all others folded between them.

    show.passes(trace, "flow")     # one layer: every pass that changed something, with its lines
    show.passes(trace)             # all layers: which passes changed something in each

A compiler cleans up all the time (`canonicalize`, `cse`, …), and most passes find nothing to do.
What cleans up is not looked up in a list of names: it is a pass that runs in at least three
layers, so it belongs to none of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..compare.changes import Change, changes
from ..dump.dump import Dump
from ..dump.layers import MARKER
from ..dump.snapshot import Snapshot
from ..dump.trace import Trace
from ..errors import LayersError
from .lexer import plain
from .strip import remarks
from .text import COLUMNS, LINES, count, cut, table, width
from .view import View, view

__all__ = ["clean_ups", "passes"]

_LAYERS = 3
"layers in which a pass runs that only cleans up"
_ROWS = 60
"rows of one layer in a notebook"
_PASS = 106
"columns for the name of a pass, or for what is folded"


@dataclass(frozen=True, slots=True)
class _Row:
    """One pass that changed the IR, or a run of those that are folded."""

    passes: tuple[Snapshot, ...]
    changes: tuple[Change, ...]
    folded: bool
    cleans: frozenset[str]
    "names of the passes that clean up"


def passes(trace: Trace | Dump, layer: str | None = None) -> View:
    """The passes of one layer, or of all of them in short.

    Args:
        trace: a trace, or a dump with layers.
        layer: name of a layer; None: all.

    Raises:
        LayersError: no snapshot has that layer.
    """
    names = tuple(dict.fromkeys(s.layer for s in trace))
    if layer is not None and layer not in names:
        raise LayersError(
            f"this trace has no layer {layer!r}", expected=f"one of {', '.join(names)}"
        )
    found = {change.index: change for change in changes(trace)}
    cleans = clean_ups(trace)
    rows = {
        name: list(_rows([s for s in trace if s.layer == name], found, cleans))
        for name in (names if layer is None else (layer,))
    }
    notes = remarks(trace, layer)
    return _overview(rows, notes) if layer is None else _one(layer, rows[layer], notes)


def clean_ups(snapshots: Iterable[Snapshot]) -> frozenset[str]:
    """Passes that run in at least three layers (in a dump with fewer: at least three times)."""
    places: dict[str, list[str]] = defaultdict(list)
    layers = set()
    for snapshot in snapshots:
        places[snapshot.name].append(snapshot.layer)
        layers.add(snapshot.layer)
    few = len(layers) < _LAYERS
    return frozenset(
        name
        for name, at in places.items()
        if name != MARKER and (len(at) if few else len(set(at))) >= _LAYERS
    )


def _rows(
    snapshots: Sequence[Snapshot], found: dict[int, Change], cleans: frozenset[str]
) -> Iterator[_Row]:
    run: list[Snapshot] = []
    for snapshot in snapshots:
        folded = snapshot.name in cleans or not found[snapshot.index].changed
        if folded and not snapshot.header.failed:
            run.append(snapshot)
            continue
        if run:
            yield _Row(tuple(run), tuple(found[s.index] for s in run), True, cleans)
            run = []
        yield _Row((snapshot,), (found[snapshot.index],), False, cleans)
    if run:
        yield _Row(tuple(run), tuple(found[s.index] for s in run), True, cleans)


def _one(layer: str, rows: Sequence[_Row], notes: Sequence[str]) -> View:
    """The table of one layer."""
    total = sum(len(row.passes) for row in rows)
    changed = sum(change.changed for row in rows for change in row.changes)
    head = f"{layer}: {count(total, 'pass')}, {changed:,} changed the IR{_failed(rows)}"
    text = table(
        ("#", "pass", "on", "lines"),
        [_cells(row) for row in rows],
        align="rllr",
        limits=(6, _PASS, 20, 12),
        limit=LINES - 1 - len(notes),
        noun="row",
    )
    body = "".join(map(_html, rows[:_ROWS]))
    rest = f'<p class="m">… {count(len(rows) - _ROWS, "more row")}</p>'
    return view(
        [head, *text, *notes],
        f'<p class="k">{plain(head)}</p><table><thead><tr><th class="r">#<th>pass<th>on'
        f'<th class="r">lines</thead>{body}</table>{rest if len(rows) > _ROWS else ""}'
        + _said(notes),
        "table",
    )


def _cells(row: _Row) -> tuple[str, str, str, str]:
    if row.folded:
        # Names give way to the counts, which must be seen whole.
        said = (_folded(row, names) for names in (3, 2, 1, 0))
        what = next(text for text in said if width(text) <= _PASS - 2 or text == _folded(row, 0))
        return "", f"  {what}", "", _sum(row.changes)
    (snapshot,), (change,) = row.passes, row.changes
    if snapshot.header.failed:
        # Its IR is printed in the generic form, so lines say nothing.
        return str(snapshot.index), snapshot.name, _on(snapshot), "failed"
    return str(snapshot.index), snapshot.name, _on(snapshot), _sum((change,))


def _failed(rows: Iterable[_Row]) -> str:
    """`, 1 failed`, if any did."""
    failed = sum(snapshot.header.failed for row in rows for snapshot in row.passes)
    return f", {failed:,} failed" if failed else ""


def _on(snapshot: Snapshot) -> str:
    """What the pass ran on, short."""
    name = snapshot.header.symbol or snapshot.symbol
    return f"@{name}" if name else snapshot.header.op or snapshot.op or ""


def _sum(found: Iterable[Change]) -> str:
    found = [change for change in found if change.changed]
    if not found:
        return ""
    return f"+{sum(c.added for c in found):,} −{sum(c.removed for c in found):,}"


def _folded(row: _Row, names: int) -> str:
    """`canonicalize ×3, cse ×2: +5 clean-ups, 1 changed something · 7 others changed nothing`."""
    pairs = list(zip(row.passes, row.changes, strict=True))
    # One that only ran others and changed nothing itself (a nested pipeline) cleaned nothing up.
    cleans = [s for s, c in pairs if s.name in row.cleans and (c.changed or not c.inner)]
    others = len(pairs) - len(cleans)
    parts = []
    if cleans:
        did = sum(c.changed for c in row.changes)
        also = f", {did} changed something" if did else ""
        parts.append(f"{_times(cleans, names)}: +{count(len(cleans), 'clean-up')}{also}")
    if others:
        what = count(others, "other") if cleans else count(others, "pass")
        parts.append(f"{what} changed nothing")
    return " · ".join(parts)


def _times(snapshots: Sequence[Snapshot], names: int) -> str:
    times = Counter(s.name for s in snapshots).most_common()
    shown = [f"{name} ×{n}" if n > 1 else name for name, n in times[:names]]
    rest = [f"… {len(times) - names} more" if names else count(len(times), "pass")]
    return ", ".join([*shown, *rest] if len(times) > names else shown)


def _html(row: _Row) -> str:
    if not row.folded:
        number, name, on, lines = map(plain, _cells(row))
        return (
            f'<tr><td class="r m">{number}<td><code>{name}</code><td class="m">{on}'
            f'<td class="r">{lines}'
        )
    names = plain(_times(row.passes, 40))
    return (
        f'<tr><td><td colspan="2" class="w m"><details><summary>{plain(_folded(row, 4))}</summary>'
        f'{names}</details><td class="r m">{_sum(row.changes)}'
    )


def _said(notes: Sequence[str]) -> str:
    return "".join(f'<p class="m">{plain(line)}</p>' for line in notes)


def _overview(rows: dict[str, list[_Row]], notes: Sequence[str]) -> View:
    """For each layer, which passes changed something, in order."""
    lines, body = [], ""
    for layer, found in rows.items():
        total = sum(len(row.passes) for row in found)
        did = sum(change.changed for row in found for change in row.changes)
        main = [row.passes[0] for row in found if not row.folded and row.changes[0].changed]
        head = f"{layer}: {did:,} of {count(total, 'pass')} changed the IR{_failed(found)}"
        lines += [head, f"    {cut(_times(main, 100), COLUMNS - 4, say=False)}"] if main else [head]
        names = plain(_times(main, 60)).replace(", ", ", <wbr>")
        body += (
            f'<tr><td><code>{plain(layer)}</code><td class="r">{total:,}<td class="r">{did:,}'
            f'<td class="w">{names}'
        )
    head_row = '<th>layer<th class="r">passes<th class="r">changed<th>which, without clean-ups'
    table_of_layers = f"<table><thead><tr>{head_row}</thead>{body}</table>"
    return view([*lines, *notes], table_of_layers + _said(notes), "table")
