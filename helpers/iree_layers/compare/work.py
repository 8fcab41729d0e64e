"""Values of a schedule: commands, the memory they touch, and the points in time between them.

Nothing here knows MLIR: `recording` makes these values, `lives` and `schedule` work on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Access", "How", "Life", "Resource", "Timepoint", "Work"]

How = Literal["ro", "wo", "rw"]


@dataclass(frozen=True, slots=True)
class Access:
    """A part of a resource that one piece of work reads or writes."""

    resource: str
    how: How
    offset: int | None
    "bytes from its beginning; None if it is computed at run time"
    length: int | None
    "bytes"


@dataclass(frozen=True, slots=True)
class Work:
    """One command: a dispatch, a copy, a fill, a flush."""

    number: int
    op: str
    "`dispatch`, `copy`, `fill`, `flush`, `invalidate`, …"
    name: str
    "what is dispatched, e.g. `mlp_dispatch_0_matmul_4x16x8_f32`; '' for other commands"
    step: int
    "commands of equal step may run at the same time; a later step waits for all before it"
    execute: int
    "which `stream.cmd.execute` it is part of"
    affinity: str
    "device that it runs on, e.g. `@__device_0`"
    accesses: tuple[Access, ...]


@dataclass(frozen=True, slots=True)
class Resource:
    """Memory of one lifetime: `external`, `transient`, `constant`, `variable`, `staging`."""

    name: str
    "`transient 0`, `external 2`, …, in the order of the program"
    lifetime: str
    size: int | None
    "bytes; None if it is computed at run time"
    origin: str
    "the op that makes it: `alloca`, `import`, a global, …"


@dataclass(frozen=True, slots=True)
class Life:
    """A slice of a resource from the step that writes it to the last that reads it."""

    resource: str
    offset: int
    length: int
    first: int
    last: int
    writer: int | None
    "number of the work that wrote it; None if it was there before"
    readers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Timepoint:
    """A point in time that others wait for."""

    name: str
    "as the IR calls it, e.g. `%4`"
    op: str
    "what signals it: `alloca`, `execute 0`, `join`, `dealloca`, `import`, `barrier`"
    awaits: tuple[str, ...]
    "timepoints that come first"
    step: int
    "steps that are done when it is reached, at the earliest"
