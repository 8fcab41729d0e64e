"""What a profile adds to a log: how long each dispatch took, and how much memory was in use.

In: a `Submitted`, the `Profile` of one of its devices. Both count the operations of a queue in the
same order; where their kinds differ, nothing is joined.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from .profile import Profile, Timing
from .submissions import Dispatch, Submitted

__all__ = ["high_water", "timed"]


def timed(did: Submitted, profile: Profile, device: str) -> tuple[Dispatch, ...]:
    """The dispatches with times, where the operations that the device counted are those of the log.

    Args:
        did: what the log says.
        profile: of one device.
        device: which.
    """
    mine = [one for one in did.submissions if one.device == device]
    if [one.op for one in mine] != [op for _, op in profile.operations]:
        return did.dispatches
    numbers = {
        one.number: number for one, (number, _) in zip(mine, profile.operations, strict=True)
    }
    waiting: dict[tuple[int, int | None], list[Timing]] = defaultdict(list)
    for timing in profile.timings:
        waiting[timing.submission, timing.command].append(timing)
    return tuple(_with_time(one, numbers.get(one.submission), waiting) for one in did.dispatches)


def _with_time(
    one: Dispatch, number: int | None, waiting: Mapping[tuple[int, int | None], list[Timing]]
) -> Dispatch:
    if number is None:
        return one
    # local-sync gives no places: it runs the commands of a buffer one after the other.
    found = waiting.get((number, one.command)) or waiting.get((number, None))
    if not found or one.name not in (None, found[0].name):
        return one
    timing = found.pop(0)
    return replace(one, name=timing.name, nanoseconds=timing.nanoseconds)


def high_water(did: Submitted, profile: Profile, device: str) -> int | None:
    """Most bytes that the call held at one time.

    None if other devices gave memory too, or if some may have been freed without a record of it.
    """
    if not did.allocations:
        return 0
    if {one.device for one in did.allocations} != {device}:
        return None
    ops = [one.op for one in did.submissions]
    # local-sync frees where the log has a barrier: what was asked for before the first is certain.
    first = ops.index("barrier") if "barrier" in ops and "dealloca" not in ops else len(ops)
    return None if "alloca" in ops[first:] else profile.high_water
