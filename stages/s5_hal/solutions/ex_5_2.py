"""Two semaphores: the caller's says when, the own one says done. The host waits for neither."""

from typing import Any

import iree.runtime as rt


def answer(device: Any, source: Any, target: Any, go: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.copy(source, target, end=True)
    done = device.create_semaphore(0)
    device.queue_execute(commands, [(go, 1)], [(done, 1)])
    return rt.HalFence.create_at(done, 1)
