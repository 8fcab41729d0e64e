"""Two semaphores at 0, two fences at 1, and no signal."""

from typing import Any

from iree.runtime import HalFence

from stages.s4_flow_stream.fences import Call


def answer(call: Call) -> tuple[Any, Any]:
    go, done = call.device.create_semaphore(0), call.device.create_semaphore(0)
    call.arguments.push_ref(HalFence.create_at(go, 1))
    call.arguments.push_ref(HalFence.create_at(done, 1))
    call.invoke()
    return go, done
