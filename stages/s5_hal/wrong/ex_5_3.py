from typing import Any

import iree.runtime as rt
import numpy as np


def _elements(device: Any, buffer: Any) -> Any:
    half = buffer.byte_length() // 8
    commands = rt.HalCommandBuffer(device)
    commands.fill(buffer, np.int32(1), length=half)
    commands.fill(buffer, np.int32(2), target_offset=half, length=half, end=True)
    return commands


def _one_size(device: Any, buffer: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.fill(buffer, np.int32(1), length=32)
    commands.fill(buffer, np.int32(2), target_offset=32, length=32, end=True)
    return commands


def _executed(device: Any, buffer: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.fill(buffer, np.int32(1), end=True)
    done = device.create_semaphore(0)
    device.queue_execute(commands, [], [(done, 1)])
    done.wait(1)
    return commands


def _open(device: Any, buffer: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.fill(buffer, np.int32(1))
    return commands


def _wide(device: Any, buffer: Any) -> Any:
    commands = rt.HalCommandBuffer(device)
    commands.fill(buffer, np.int64(1), end=True)
    return commands


def _beyond(device: Any, buffer: Any) -> Any:
    half = buffer.byte_length() // 2
    commands = rt.HalCommandBuffer(device)
    commands.fill(buffer, np.int32(1), target_offset=half, length=half + 4, end=True)
    return commands


def _nothing(device: Any, buffer: Any) -> Any:
    return buffer


wrong = {
    "offsets and lengths are bytes": _elements,
    "buffer.byte_length()": _one_size,
    "the buffer is filled already": _executed,
    "a recording that is ended": _open,
    "pattern_length=8": _wide,
    "OUT_OF_RANGE": _beyond,
    "a HalCommandBuffer": _nothing,
}
