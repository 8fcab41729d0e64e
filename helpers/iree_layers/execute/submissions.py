"""What one call did on the queues of its devices, as values: dispatches, copies, fills, memory.

`walk` makes them of a log, `measured` adds times, `record` is what a learner calls.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Allocation", "Dispatch", "Slice", "Submission", "Submitted", "Transfer"]


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a buffer."""

    buffer: str
    """`given 0`: the first buffer that the caller made, for an input; `loaded 0`: the first that
    was made when the module was loaded, for constants and variables; `allocation 0`: see
    `Allocation`"""
    offset: int
    length: int
    "bytes"

    def __str__(self) -> str:
        return f"{self.buffer}[{self.offset}+{self.length}]"


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One launch of one function of an executable."""

    order: int
    "0-based place among the dispatches and transfers of the call"
    group: int
    """number of execution barriers that were executed before it: two of one submission in one
    group may run at the same time; for two submissions see `Submission.after`"""
    submission: int
    command: int | None
    "0-based place in its command buffer, barriers counted; None if it was submitted alone"
    device: str
    name: str | None
    "of the function, e.g. `diamond_dispatch_0_matmul_64x64x64_f32`"
    executable: str | None
    "the file in the .vmfb that has it (see `contents`)"
    workgroup_count: tuple[int, int, int] | None
    "x, y, z; None if the device reads it from a buffer"
    bindings: tuple[Slice, ...] | None
    operands: tuple[int, ...] | None
    "32-bit words that it gets besides, such as offsets into its bindings"
    nanoseconds: int | None = None
    "from its start to its end; None on a device without a profile"

    @property
    def bytes(self) -> int | None:
        """Bytes of all bindings; a buffer that is bound twice counts twice."""
        return None if self.bindings is None else sum(one.length for one in self.bindings)


@dataclass(frozen=True, slots=True)
class Transfer:
    """One copy, fill or update of a buffer."""

    order: int
    "as for a `Dispatch`"
    group: int
    submission: int
    device: str
    op: str
    "`copy`, `fill`, or `update` from memory of the host"
    source: Slice | None
    "None for a fill and an update"
    target: Slice | None

    @property
    def bytes(self) -> int | None:
        """Bytes that are written."""
        return self.target.length if self.target else None


@dataclass(frozen=True, slots=True)
class Submission:
    """One operation on a queue."""

    number: int
    op: str
    "`alloca`, `execute`, `dealloca`, `barrier` (waits and signals, nothing else), `copy`, …"
    device: str
    after: tuple[int, ...] | None
    "submissions of this call whose end it waits for"


@dataclass(frozen=True, slots=True)
class Allocation:
    """Memory that the call asked for."""

    name: str
    "as in `Slice.buffer`"
    bytes: int
    device: str
    submission: int | None
    "that makes it; None if it was not made on a queue"
    freed: int | None
    """submission that frees it; None if the log has none: it is a result, its owner dropped it, or
    the device frees in another way (local-sync)"""


@dataclass(frozen=True, slots=True)
class Submitted:
    """All of one call."""

    dispatches: tuple[Dispatch, ...]
    transfers: tuple[Transfer, ...]
    submissions: tuple[Submission, ...]
    allocations: tuple[Allocation, ...]
    barriers: int
    "execution barriers that were executed"
