"""Checks of what runs on a device: a copy with fences, a recording, an allocator's numbers.

What the learner records is executed here on `local-task`. The runtime validates commands before it
takes them (3.13.0), so mistakes come as exceptions; a function that waits for ever is left waiting
in a thread, and what it waits for is failed in the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from threading import Thread
from time import sleep
from typing import Any

import numpy as np

from iree_layers.errors import RunError
from iree_layers.execute import child
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import entries, kind, whole

from .memory import room, words

__all__ = ["check_5_2", "check_5_3", "check_5_4", "counted"]

_SECOND = 1_000_000_000
"in nanoseconds"
_LENGTH = 1 << 22
"numbers in a buffer of exercise 5.2"


def check_5_2(answer: Callable[[Any, Any, Any, Any], object]) -> Verdict:
    """Start the learner's copy; look before and after go."""
    import iree.runtime as rt

    device = rt.get_device("local-task")
    source, target = _filled(device, 7), _filled(device, 0)
    go = device.create_semaphore(0)
    try:
        fence = _in_time(lambda: answer(device, source, target, go))
        if isinstance(fence, Verdict):
            return fence
        if not isinstance(fence, rt.HalFence):
            return wrong("a HalFence", kind(fence), look="what you return")
        return _watched(fence, go, source, target)
    finally:
        # What still waits for it would keep the device from closing, for ever.
        go.fail("the check is over")


def _watched(fence: Any, go: Any, source: Any, target: Any) -> Verdict:
    """The copy before go, and after."""
    if go.query() > 0:
        return wrong("go is the caller's", "your function signals it", look="go.signal")
    if fence.wait(timeout=_SECOND // 20):
        return wrong(
            "nothing is done before go is 1", "the fence is reached", look="what it waits for"
        )
    if words(target).any() or not words(source).all():
        return wrong("no copy before go is 1", "it is copied", look="the list of queue_execute")
    go.signal(1)
    if not fence.wait(timeout=2 * _SECOND):
        found = "it is not, 2 s after go"
        return wrong(
            "the fence is reached after go", found, look="who signals what the fence is at"
        )
    # At once, and only a sample: looking at all takes as long as the copy. A fence that the copy
    # does not signal is caught mostly, as the copy may win the race; a right one always passes.
    sample = target.map().asarray([_LENGTH], np.dtype("int32"))[::1024]
    early = not (sample == 7).all()
    if early:
        sleep(0.2)
    if not words(source).all():
        return wrong("target has what source had", "source is overwritten", look="copy(from, to)")
    if not (words(target) == 7).all():
        return wrong("target has all of source", f"{words(target)[:4]} …", look="what is recorded")
    if early:
        found = "the fence is reached before the copy is done"
        return wrong("a fence that the copy signals", found, look="which semaphore the fence is on")
    return right("waited, copied, and said so", look="the host slept; the device did the order")


def check_5_3(answer: Callable[[Any, Any], object]) -> Verdict:
    """Execute the recording, on buffers of two sizes."""
    import iree.runtime as rt

    device = rt.get_device("local-task")
    for size in (64, 160):
        buffer = room(device, size)
        commands = _in_time(lambda b=buffer: answer(device, b))  # type: ignore[misc]
        if isinstance(commands, Verdict):
            return commands
        if not isinstance(commands, rt.HalCommandBuffer):
            return wrong("a HalCommandBuffer", kind(commands), look="what you return")
        if words(buffer).any():
            return wrong("recorded only", "the buffer is filled already", look="who executes")
        done = device.create_semaphore(0)
        try:
            device.queue_execute(commands, [], [(done, 1)])
        except RuntimeError as error:
            if "recording" not in str(error):
                raise
            return wrong("a recording that is ended", "it is still open", look="end=True")
        done.wait(1)
        half, found = size // 8, words(buffer)
        if not np.array_equal(found, np.repeat([1, 2], half)):
            counts = {int(one): int((found == one).sum()) for one in np.unique(found)}
            look = "offsets and lengths are bytes" if size == 64 else "buffer.byte_length()"
            return wrong(f"{half} ones, then {half} twos", f"value: how often {counts}", look=look)
    return right("two sizes, two stripes", look="they do not overlap, so they need no barrier")


def _steps() -> str:
    """Exercise 5.4, for a process of its own: all devices of a driver share an allocator."""
    import json

    import iree.runtime as rt

    allocator = rt.get_device("local-task").allocator
    memory, usage = rt.MemoryType.DEVICE_LOCAL, rt.BufferUsage.DEFAULT
    first = allocator.allocate_buffer(memory, usage, 100)
    second = allocator.allocate_buffer(memory, usage, 28)
    del first
    third = allocator.allocate_buffer(memory, usage, 60)
    said = allocator.statistics
    del second, third
    return json.dumps({n: said[f"device_bytes_{n}"] for n in ("peak", "allocated", "freed")})


@cache
def counted() -> dict[str, int]:
    """What the allocator says after them.

    Raises:
        RunError: the process failed.
    """
    ran = child(_steps)
    if not ran.ok:
        raise RunError(f"the allocator was not asked: {ran}")
    numbers: dict[str, int] = json.loads(ran.stdout)
    return numbers


def check_5_4(answer: object) -> Verdict:
    """Do it, and compare."""
    given, real = entries(answer), counted()
    if given is None or set(given) != set(real):
        return wrong("a dict with peak, allocated and freed", kind(answer), look="the task")
    live = real["allocated"] - real["freed"]
    named = {
        ("allocated", live): "what is there now; allocated never falls",
        ("peak", real["allocated"]): "all that was ever asked for; one buffer was gone by then",
        ("peak", live): "what is there at the end; there was more before",
        ("freed", 0): "a buffer nobody holds is freed",
    }
    for name, number in real.items():
        said = whole(given[name])
        if said != number:
            why = named.get((name, said or 0), "not what it says")
            return wrong("the numbers of the allocator", f"{name}: {why}", look=".statistics")
    return right(f"{live} bytes are there now", look="allocated − freed")


def _filled(device: Any, value: int) -> Any:
    """Equal numbers, so many that a copy takes a while."""
    buffer = room(device, 4 * _LENGTH)
    buffer.map().asarray([_LENGTH], np.dtype("int32"))[:] = value
    return buffer


def _in_time(start: Callable[[], object]) -> Any:
    """What it gives, or a verdict if it does not come back."""
    found: list[Any] = []
    raised: list[Exception] = []

    def work() -> None:
        try:
            found.append(start())
        except Exception as error:  # raised again below, where the learner sees it
            raised.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(timeout=3)
    if raised:
        raise raised[0]
    if not found:
        return wrong("your function returns at once", "it waits", look="what is it waiting for?")
    return found[0]
