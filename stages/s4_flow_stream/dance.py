"""The check of the fence exercise: what is started must wait, run when told, and say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iree_layers.compile import Target, build, program
from iree_layers.execute import agree
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import kind

from .fences import Call, prepared

__all__ = ["check_4_9", "fenced"]

HERE = Path(__file__).parent
_SECOND = 1_000_000_000
"in nanoseconds"


@cache
def fenced() -> Path:
    """The diamond, with two fences more in its signature."""
    flag = "--iree-execution-model=async-external"
    return build(program(HERE / "diamond.mlir"), Target.HOST.with_flags(flag)).vmfb


def check_4_9(answer: Callable[[Call], object]) -> Verdict:
    """Start the learner's call, look before and after the signal."""
    make = np.random.default_rng(9)
    a, b, c = (make.standard_normal((64, 64)).astype(np.float32) for _ in range(3))
    plain = prepared(fenced(), "diamond", a, b, c)
    watched = _Device(plain.device)
    try:
        return _judged(answer, replace(plain, device=watched), (a @ b) @ (a @ c))
    finally:
        # What still waits for one of them would keep the process from ending, for ever.
        for semaphore in watched.semaphores:
            semaphore.fail("the check is over")


class _Device:
    """A device that remembers the semaphores it made."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self.semaphores: list[Any] = []

    def create_semaphore(self, value: int) -> Any:
        self.semaphores.append(self._device.create_semaphore(value))
        return self.semaphores[-1]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)


def _judged(answer: Callable[[Call], object], call: Call, wanted: NDArray[np.float32]) -> Verdict:
    found = _in_time(lambda: answer(call))
    if isinstance(found, Verdict):
        return found
    if not (isinstance(found, tuple | list) and len(found) == 2):
        return wrong("a pair (go, done) of semaphores", kind(found), look="return them")
    amiss = _watched(call, *found)
    return _compared(call, wanted) if amiss is None else amiss


def _watched(call: Call, go: Any, done: Any) -> Verdict | None:
    """What is wrong with the order of things, None if nothing is."""
    from iree.runtime import HalFence

    if len(call.results) == 0:
        return wrong("a call that is started", "no result yet", look="call.invoke()")
    if HalFence.create_at(done, 1).wait(timeout=_SECOND // 20):
        return wrong("nothing runs before go is 1", "it is done", look="which fence is first")
    go.signal(1)
    if not HalFence.create_at(done, 1).wait(timeout=2 * _SECOND):
        return wrong("done reaches 1 after go", "it does not", look="the numbers of the fences")
    return None


def _compared(call: Call, wanted: NDArray[np.float32]) -> Verdict:
    if not agree(call.result(), wanted, rtol=1e-3, atol=1e-3):
        return wrong("the numbers of the diamond", "other numbers", look="when they are read")
    return right("waited, ran, and said so", look="the host was free in between")


def _in_time(start: Callable[[], object]) -> Any:
    """What it gives, or a verdict if the runtime refuses it or it does not come back."""
    found: list[Any] = []
    raised: list[Exception] = []

    def work() -> None:
        try:
            found.append(start())
        except Exception as error:  # raised again below, where the learner sees it
            raised.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(timeout=5)
    if raised and isinstance(raised[0], ValueError) and "expected" in str(raised[0]):
        said = str(raised[0]).splitlines()[0][:200]
        return wrong("a call that starts", said, look="two fences behind the inputs")
    if raised:
        raise raised[0]
    if not found:
        return wrong("start(call) returns at once", "it waits", look="what is it waiting for?")
    return found[0]
