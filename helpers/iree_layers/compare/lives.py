"""Lives of memory: from the step that writes a slice to the last step that reads it.

What was written is gone when another command writes over it. So two lives may share bytes, never at
the same step: this is how the compiler packs transient values into one allocation.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .work import Life

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .work import Access, Resource, Work

__all__ = ["lives"]


@dataclass(slots=True)
class _Open:
    """A life that may still get longer."""

    offset: int
    length: int
    first: int
    last: int
    writer: int | None
    readers: list[int] = field(default_factory=list)

    def overlaps(self, offset: int, length: int) -> bool:
        return offset < self.offset + self.length and self.offset < offset + length


def lives(works: Sequence[Work], resources: Sequence[Resource]) -> Iterator[Life]:
    """All lives, by resource; accesses whose place is known only at run time are left out.

    What the host hands in lives from step 0, and what it takes out to the last step.
    """
    end = max((work.step for work in works), default=0)
    by_resource: dict[str, list[tuple[Work, Access]]] = defaultdict(list)
    for work in works:
        for access in work.accesses:
            by_resource[access.resource].append((work, access))
    for resource in resources:
        found = _of_one(by_resource[resource.name])
        for life in found:
            last = end if resource.lifetime == "external" and life.writer is not None else life.last
            yield Life(
                resource.name,
                life.offset,
                life.length,
                life.first,
                last,
                life.writer,
                tuple(life.readers),
            )


def _of_one(accesses: Sequence[tuple[Work, Access]]) -> list[_Open]:
    every: list[_Open] = []
    current: list[_Open] = []
    # What a step reads is what was there before it writes.
    for work, access in sorted(accesses, key=lambda each: (each[0].step, each[1].how == "wo")):
        if access.offset is None or access.length is None:
            continue
        offset, length = access.offset, access.length
        if access.how != "wo":
            read = [life for life in current if life.overlaps(offset, length)]
            if not read:
                read = [_Open(offset, length, 0, work.step, None)]
                every += read
                current += read
            for life in read:
                life.last = max(life.last, work.step)
                life.readers.append(work.number)
        if access.how != "ro":
            current = [life for life in current if not life.overlaps(offset, length)]
            made = _Open(offset, length, work.step, work.step, work.number)
            every.append(made)
            current.append(made)
    return every
