"""Buffers that the host can look into: allocate one, fill one with numbers, read one.

In: a `HalDevice` of `iree.runtime` (3.13.0). What is allocated here may be mapped, so that each
step of a command buffer can be seen; a program's own buffers need not allow that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["room", "stored", "words"]


def room(device: Any, size: int) -> Any:
    """A new `HalBuffer` of `size` bytes, for kernels and for the host."""
    import iree.runtime as rt

    return device.allocator.allocate_buffer(
        memory_type=rt.MemoryType.DEVICE_LOCAL | rt.MemoryType.HOST_VISIBLE,
        allowed_usage=rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING,
        allocation_size=size,
    )


def stored(device: Any, array: NDArray[np.float32] | NDArray[np.int32]) -> Any:
    """A new `HalBufferView` on a copy of an array."""
    import iree.runtime as rt

    kind = rt.HalElementType.FLOAT_32 if array.dtype == np.float32 else rt.HalElementType.INT_32
    return device.allocator.allocate_buffer_copy(
        memory_type=rt.MemoryType.DEVICE_LOCAL | rt.MemoryType.HOST_VISIBLE,
        allowed_usage=rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING,
        device=device,
        buffer=np.ascontiguousarray(array),
        element_type=kind,
    )


def words(buffer: Any, dtype: str = "int32") -> NDArray[Any]:
    """What is in a buffer now, as numbers: a copy, so that later commands do not change it."""
    numbers = np.dtype(dtype)
    shape = [buffer.byte_length() // numbers.itemsize]
    return np.array(buffer.map().asarray(shape, numbers))
