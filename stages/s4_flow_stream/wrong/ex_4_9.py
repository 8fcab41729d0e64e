from typing import Any

from iree.runtime import HalFence

from stages.s4_flow_stream.fences import Call


def _none(call: Call) -> None:
    call.invoke()


def _swapped(call: Call) -> tuple[Any, Any]:
    go, done = call.device.create_semaphore(0), call.device.create_semaphore(0)
    call.arguments.push_ref(HalFence.create_at(done, 1))
    call.arguments.push_ref(HalFence.create_at(go, 1))
    call.invoke()
    return go, done


def _signalled(call: Call) -> tuple[Any, Any]:
    go, done = call.device.create_semaphore(0), call.device.create_semaphore(0)
    call.arguments.push_ref(HalFence.create_at(go, 1))
    call.arguments.push_ref(HalFence.create_at(done, 1))
    go.signal(1)
    call.invoke()
    HalFence.create_at(done, 1).wait(timeout=2_000_000_000)
    return go, done


def _nothing(call: Call) -> None:
    go, done = call.device.create_semaphore(0), call.device.create_semaphore(0)
    call.arguments.push_ref(HalFence.create_at(go, 1))
    call.arguments.push_ref(HalFence.create_at(done, 1))
    call.invoke()


wrong = {
    "two fences behind the inputs": _none,
    "done reaches 1 after go": _swapped,
    "which fence is first": _signalled,
    "a pair (go, done)": _nothing,
}
