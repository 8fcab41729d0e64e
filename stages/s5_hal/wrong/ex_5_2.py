from typing import Any

import iree.runtime as rt


def _at_once(device: Any, source: Any, target: Any, go: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.copy(source, target, end=True)
    done = device.create_semaphore(0)
    device.queue_execute(commands, [], [(done, 1)])
    return rt.HalFence.create_at(done, 1)


def _backwards(device: Any, source: Any, target: Any, go: Any) -> Any:
    return _at_go(device, target, source, go)


def _at_go(device: Any, source: Any, target: Any, go: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.copy(source, target, end=True)
    done = device.create_semaphore(0)
    device.queue_execute(commands, [(go, 1)], [(done, 1)])
    return rt.HalFence.create_at(done, 1)


def _semaphore(device: Any, source: Any, target: Any, go: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.copy(source, target, end=True)
    done = device.create_semaphore(0)
    device.queue_execute(commands, [(go, 1)], [(done, 1)])
    return done


def _other_number(device: Any, source: Any, target: Any, go: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.copy(source, target, end=True)
    done = device.create_semaphore(0)
    device.queue_execute(commands, [(go, 1)], [(done, 1)])
    return rt.HalFence.create_at(done, 2)


def _waits(device: Any, source: Any, target: Any, go: Any) -> Any:
    fence = _at_go(device, source, target, go)
    fence.wait()
    return fence


def _signals(device: Any, source: Any, target: Any, go: Any) -> Any:
    fence = _at_go(device, source, target, go)
    go.signal(1)
    fence.wait()
    return fence


def _half(device: Any, source: Any, target: Any, go: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.copy(source, target, length=32, target_offset=32, end=True)
    done = device.create_semaphore(0)
    device.queue_execute(commands, [(go, 1)], [(done, 1)])
    return rt.HalFence.create_at(done, 1)


def _open(device: Any, source: Any, target: Any, go: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.copy(source, target)
    done = device.create_semaphore(0)
    device.queue_execute(commands, [(go, 1)], [(done, 1)])
    return rt.HalFence.create_at(done, 1)


wrong = {
    "nothing is done before go is 1": _at_once,
    "source is overwritten": _backwards,
    "a HalFence": _semaphore,
    "the fence is reached after go": _other_number,
    "your function returns at once": _waits,
    "go is the caller's": _signals,
    "target has all of source": _half,
    "recording has not been ended": _open,
}
