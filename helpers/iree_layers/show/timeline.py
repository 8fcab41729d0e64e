"""The drawing of a schedule, from top to bottom: steps, devices, allocations, timepoints."""

from __future__ import annotations

from collections.abc import Sequence

from ..compare.kernels import label
from ..compare.schedule import Schedule
from ..compare.work import Life, Resource, Timepoint, Work
from .lexer import plain
from .text import cut

__all__ = ["drawn", "lives_of", "title", "transient", "who"]

_LEFT, _BOX, _LINE, _POINT = 116, 26, 15, 25
_MEMORY = 150
"height of the largest allocation"
_TOTAL = 880
"width that the columns share"


def drawn(found: Schedule, says: str) -> str:
    """One `<svg>` element; `says` is for those who do not see it."""
    return _Drawing(found).svg(says)


def title(work: Work) -> str:
    """What a command is: the kernel, or the op."""
    return label(work.name) if work.name else work.op


def _kind(work: Work) -> str:
    """The same without the kernel's number, which is not that of the command."""
    number, _, rest = title(work).partition("_")
    return rest if number.isdigit() else title(work)


def who(life: Life) -> str:
    """Who wrote a slice, and who reads it, by number."""
    readers = ", ".join(map(str, life.readers)) or "host"
    return f"{'?' if life.writer is None else life.writer} → {readers}"


def transient(found: Schedule) -> list[Resource]:
    """Memory that lives only as long as the schedule."""
    return [each for each in found.resources if each.lifetime in ("transient", "staging")]


def lives_of(found: Schedule, resource: Resource) -> list[Life]:
    """Slices of a resource."""
    return [life for life in found.lives if life.resource == resource.name]


class _Drawing:
    """Places everything from top to bottom."""

    def __init__(self, found: Schedule) -> None:
        self.found = found
        self.column = max(min(_TOTAL // max(found.steps, 1), 190), 76)
        self.wide = _LEFT + max(found.steps, 1) * self.column + 150
        self.y = 4
        self.parts: list[str] = []

    def svg(self, says: str) -> str:
        self._steps()
        for affinity in dict.fromkeys(work.affinity for work in self.found.works):
            self._dispatches(affinity)
        for resource in transient(self.found):
            self._allocation(resource)
        rest = [r for r in self.found.resources if r not in transient(self.found)]
        for resource in rest:
            self._bar(resource)
        self._timepoints()
        head = f'viewBox="0 0 {self.wide} {self.y + 4}" width="{self.wide}"'
        inner = "".join(self.parts)
        return f'<svg class="sc" {head} role="img" aria-label="{plain(says)}">{inner}</svg>'

    def _x(self, step: int) -> int:
        return _LEFT + step * self.column

    def _steps(self) -> None:
        for step in range(self.found.steps):
            x = self._x(step)
            self.parts.append(f'<text class="u" x="{x + 4}" y="{self.y + 10}">step {step}</text>')
        self.y += 18

    def _left(self, text: str, y: int, kind: str = "u") -> None:
        self.parts.append(f'<text class="{kind}" x="0" y="{y}">{plain(cut(text, 17))}</text>')

    def _dispatches(self, affinity: str) -> None:
        mine = [work for work in self.found.works if work.affinity == affinity]
        rows: dict[int, int] = {}
        top = self.y
        self._left(affinity.removeprefix("@").replace("__device", "device"), top + 16)
        for work in mine:
            row = rows.get(work.step, 0)
            rows[work.step] = row + 1
            x, y = self._x(work.step), top + row * (_BOX + 4)
            room = int((self.column - 14) / 6.3)
            name = plain(cut(f"{work.number} {_kind(work)}", room, say=False))
            full = plain(f"{work.number}: {work.name or work.op}")
            self.parts.append(
                f'<g><title>{full}</title><rect class="wk" x="{x + 2}" y="{y}" '
                f'width="{self.column - 4}" height="{_BOX}" rx="5"/>'
                f'<text class="u" x="{x + 7}" y="{y + 17}">{name}</text></g>'
            )
        self.y = top + max(rows.values(), default=1) * (_BOX + 4) + 8

    def _allocation(self, resource: Resource) -> None:
        found = lives_of(self.found, resource)
        size = resource.size or max((each.offset + each.length for each in found), default=0)
        if not size:
            return
        largest = max(each.size or 0 for each in transient(self.found)) or size
        high = max(round(_MEMORY * size / largest), 40)
        self._left(resource.name, self.y + 14)
        self._left(f"{size:,} bytes", self.y + 28)
        width = self.found.steps * self.column
        self.parts.append(
            f'<rect class="bn" x="{_LEFT}" y="{self.y}" width="{width}" height="{high}" rx="3"/>'
        )
        for life in found:
            self._life(life, self.y, high, size)
        self.y += high + 10

    def _life(self, life: Life, top: int, high: int, size: int) -> None:
        x, end = self._x(life.first), self._x(life.last + 1)
        y = top + life.offset * high / size
        tall = max(life.length * high / size, 3)
        text = f"{life.offset:,} + {life.length:,}: {who(life)}"
        room = int((end - x - 12) / 5.8)
        name = ""
        if tall >= 12:
            shown = plain(cut(text if len(text) <= room else who(life), room, say=False))
            name = f'<text class="u" x="{x + 7}" y="{y + tall / 2 + 4:.0f}">{shown}</text>'
        self.parts.append(
            f'<g><title>{plain(text)}</title><rect class="lv" x="{x + 3}" y="{y + 1:.1f}" '
            f'width="{end - x - 6}" height="{tall - 1.5:.1f}" rx="3"/>{name}</g>'
        )

    def _bar(self, resource: Resource) -> None:
        found = lives_of(self.found, resource)
        self._left(resource.name, self.y + 10)
        first = min((life.first for life in found), default=0)
        last = max((life.last for life in found), default=self.found.steps - 1)
        x, width = self._x(first), (last - first + 1) * self.column
        size = "?" if resource.size is None else f"{resource.size:,}"
        self.parts.append(
            f'<rect class="xt" x="{x + 3}" y="{self.y + 2}" width="{width - 6}" height="9" rx="3"/>'
            f'<text class="u" x="{x + width + 4}" y="{self.y + 10}">'
            f"{plain(cut(resource.origin, 16, say=False))} {size}</text>"
        )
        self.y += _LINE

    def _timepoints(self) -> None:
        points = self.found.timepoints
        if not points:
            return
        self.y += 6
        self._left("timepoints", self.y + 14)
        places: dict[str, tuple[int, int]] = {}
        rows = _rows(points)
        for point, row in zip(points, rows, strict=True):
            places[point.name] = (self._x(point.step), self.y + row * _POINT + 10)
        for point in points:
            self._point(point, places)
        ends = [*((name, "the host waits") for name in self.found.waits)]
        ends += [(name, "the caller's fence") for name in self.found.signals]
        for name, what in ends:
            if name in places:
                x, y = places[name]
                self.parts.append(
                    f'<path class="ln" d="M{x + 6} {y + 2}H{x + 40}"/>'
                    f'<path class="ar" d="M{x + 40} {y - 2}v8l7 -4z"/>'
                    f'<text class="u" x="{x + 50}" y="{y + 7}">{what}</text>'
                )
        self.y += (max(rows, default=0) + 1) * _POINT + 4

    def _point(self, point: Timepoint, places: dict[str, tuple[int, int]]) -> None:
        x, y = places[point.name]
        for name in point.awaits:
            if name in places:
                u, v = places[name]
                bend = max((x - u) // 2, 14)
                path = f"M{u} {v}C{u + bend} {v} {x - bend} {y} {x - 5} {y}"
                self.parts.append(f'<path class="ln" d="{path}"/>')
        says = plain(f"{point.op} {point.name}")
        self.parts.append(
            f'<circle class="tp" cx="{x}" cy="{y}" r="4"/>'
            f'<text class="u" x="{x + 7}" y="{y - 4}">{says}</text>'
        )


def _rows(points: Sequence[Timepoint]) -> list[int]:
    """A row for each timepoint, so that those of one step stand below each other."""
    used: dict[int, int] = {}
    rows = []
    for point in points:
        rows.append(used.get(point.step, 0))
        used[point.step] = rows[-1] + 1
    return rows
