"""The dialect census as a picture: a lane for each dialect, the compiler's road from left to right.

A lane is as high as the dialect has ops there, each measured by its own largest count, so that a
dialect of four ops is seen beside one of four hundred. Lanes stand in order of first occurrence:
the program comes down the stairs. No meaning hangs on a colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..compare.census import Census
from .lexer import plain
from .text import LINES, count, cut, pad, width
from .view import View, view

__all__ = ["census"]

_LANES = 18
_LEFT, _WIDE, _RIGHT = 122, 540, 44
_HEAD, _LANE, _STEP = 112, 22, 3
"pixels: above the lanes, of one lane, of one bin"
_NOTE = "a snapshot holds what its pass ran on: where counts jump, passes ran on different ops"
_END = _LEFT + _WIDE + _RIGHT - 4
_COLUMNS = 104
_BLOCKS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class _Band:
    """A layer on the axis."""

    name: str
    start: int
    wide: int
    "in pixels, or in characters"
    columns: tuple[int, int]
    "its snapshots, half-open"


@dataclass(frozen=True, slots=True)
class _Lane:
    """A dialect and its largest count."""

    name: str
    most: int
    counts: Sequence[int]


def census(found: Census, *, lanes: int = _LANES) -> View:
    """Draw a census.

    Args:
        found: ops per dialect over the snapshots.
        lanes: so many dialects are drawn; the others are named below.
    """
    kept = _main(found, min(lanes, LINES - 8))
    shown = [
        _Lane(name, max(int(found.of(name).max()), 1), found.of(name).tolist()) for name in kept
    ]
    others = [name for name in found.dialects if name not in kept]
    rest = [f"… {count(len(others), 'more dialect')}: {', '.join(others)}"] if others else []
    remarks = [cut(line, say=False) for line in [*rest, _NOTE]]
    body = _svg(shown, _bands(found, _WIDE, 28))
    body += f'<p class="m">{"<br>".join(map(plain, remarks))}</p>'
    return view([*_text(shown, _bands(found, _COLUMNS, 4)), *remarks], body, "svg")


def _main(found: Census, lanes: int) -> list[str]:
    """The dialects with the largest shares, in order of first occurrence.

    Every snapshot weighs the same: by number of ops, code generation would leave no lane to Flow.
    """
    shares = (found.counts / np.maximum(found.counts.sum(axis=0), 1)).sum(axis=1)
    largest = sorted(zip(-shares, found.dialects, strict=True))[:lanes]
    return sorted((name for _, name in largest), key=lambda d: (found.life(d) or (0, 0), d))


def _bands(found: Census, wide: int, least: int) -> list[_Band]:
    """Layers by their share of the snapshots; none so narrow that it cannot be seen."""
    if not found.bands:
        return []
    least = min(least, wide // len(found.bands))
    spare, total = wide - least * len(found.bands), len(found.names)
    bands: list[_Band] = []
    for name, first, end in found.bands:
        start = bands[-1].start + bands[-1].wide if bands else 0
        bands.append(_Band(name, start, least + spare * (end - first) // total, (first, end)))
    return bands


def _bins(band: _Band, step: int) -> Iterator[tuple[int, int, int]]:
    """Places on the axis, `step` wide, with the snapshots that each stands for."""
    first, end = band.columns
    bins = max(band.wide // step, 1)
    for k in range(bins):
        start = first + (end - first) * k // bins
        yield band.start + k * step, start, max(first + (end - first) * (k + 1) // bins, start + 1)


def _text(lanes: Sequence[_Lane], bands: Sequence[_Band]) -> Iterator[str]:
    wide = max([7, *(width(lane.name) for lane in lanes)])
    axis = ""
    for k, band in enumerate(bands, 1):
        axis = axis.ljust(band.start) + f"{k}"
    yield f"{pad('dialect', wide)}  {pad(axis, _COLUMNS)}  most"
    for lane in lanes:
        cells = "".join(
            _BLOCKS[-(-max(lane.counts[start:end]) * 8 // lane.most)]
            for band in bands
            for _, start, end in _bins(band, 1)
        )
        yield f"{pad(lane.name, wide)}  {pad(cells, _COLUMNS)}  {lane.most:>4,}"
    line = ""
    for k, band in enumerate(bands, 1):
        name = f"{k} {band.name}"
        if width(line) + width(name) > 130:
            yield line
            line = ""
        line += ("  " if line else "") + name
    yield line


def _svg(lanes: Sequence[_Lane], bands: Sequence[_Band]) -> str:
    wide, high = _LEFT + _WIDE + _RIGHT, _HEAD + len(lanes) * _LANE + 4
    return (
        f'<svg viewBox="0 0 {wide} {high}" width="{wide}" role="img" '
        f'aria-label="Ops per dialect over the passes">\n'
        + "\n".join([*_axis(bands, high), *_rows(lanes, bands)])
        + "\n</svg>"
    )


def _axis(bands: Sequence[_Band], high: int) -> Iterator[str]:
    for k, band in enumerate(bands):
        x = _LEFT + band.start
        if k % 2 == 0:
            yield (
                f'<rect class="bn" x="{x}" y="{_HEAD - 4}" width="{band.wide}" '
                f'height="{high - _HEAD + 4}"/>'
            )
        middle = x + band.wide // 2
        yield (
            f'<text class="u" transform="translate({middle} {_HEAD - 9}) rotate(-40)">'
            f"{plain(band.name)}</text>"
        )
    yield f'<text class="u e" x="{_END}" y="{_HEAD - 9}">most ops</text>'


def _rows(lanes: Sequence[_Lane], bands: Sequence[_Band]) -> Iterator[str]:
    for k, lane in enumerate(lanes):
        base = _HEAD + (k + 1) * _LANE - 2
        yield (
            f'<text class="g e" x="{_LEFT - 8}" y="{base - 4}">{plain(lane.name)}</text> '
            f'<path class="b1" d="{_path(lane, bands, base)}"/>'
            f' <text class="u e" x="{_END}" y="{base - 4}">{lane.most:,}</text>'
        )


def _path(lane: _Lane, bands: Sequence[_Band], base: int) -> str:
    """Steps above the base line, in relative moves, which are shorter."""
    room = _LANE - 5
    steps, at, run = [f"M{_LEFT} {base}"], 0, 0
    for band in bands:
        bins = list(_bins(band, _STEP))
        for k, (x, start, end) in enumerate(bins):
            most = max(lane.counts[start:end])
            level = -(-most * room // lane.most)
            if level != at:
                steps.append(f"{f'h{run}' if run else ''}v{at - level}")
                at, run = level, 0
            following = bins[k + 1][0] if k + 1 < len(bins) else band.start + band.wide
            run += following - x
    return "".join([*steps, f"h{run}" if run else "", f"v{at}z" if at else "z"])
