"""Values into the runtime's lists, and results out of them, also from memory nobody can map.

In: arrays and numbers that fit (`arguments.py`). Out: numpy arrays that own their memory. Written
against `iree.runtime` 3.13.0, which is handed in, so that nothing here imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import RunError
from .array import numpy_dtype

if TYPE_CHECKING:
    from .arguments import Value
    from .signature import ValueType

__all__ = ["pull", "push"]


def push(runtime: Any, inputs: Any, device: Any, value: Value) -> None:
    """Append one argument to a `VmVariantList`; an array is copied to the device."""
    if isinstance(value, np.ndarray):
        view = device.allocator.allocate_buffer_copy(
            memory_type=runtime.MemoryType.DEVICE_LOCAL,
            allowed_usage=runtime.BufferUsage.DEFAULT,
            device=device,
            buffer=value,
            element_type=runtime.array_interop.map_dtype_to_element_type(value.dtype),
        )
        inputs.push_ref(view)
    elif isinstance(value, float):
        inputs.push_float(value)
    else:
        inputs.push_int(int(value))


def pull(
    runtime: Any, outputs: Any, place: int, device: Any, declared: ValueType | None
) -> np.ndarray[Any, Any]:
    """One result of a `VmVariantList`, copied to the host.

    Raises:
        RunError: it is no array and no number, or has elements that numpy does not have.
    """
    value = outputs.get_variant(place)
    if isinstance(value, (int, float)):
        return _scalar(value, declared)
    view = value.deref(runtime.HalBufferView, True) if isinstance(value, runtime.VmRef) else None
    if view is None:
        raise RunError(
            f"result {place} is {declared or 'no array'}, which numpy cannot hold",
            expected="tensors and scalars",
            todo="return a tensor instead",
        )
    return _read_back(runtime, device, view, f"result {place} ({declared or 'undeclared'})")


def _scalar(value: int | float, declared: ValueType | None) -> np.ndarray[Any, Any]:
    dtypes = numpy_dtype(declared.dtype) if declared else ()
    if not dtypes:
        return np.array(value)
    dtype = dtypes[0]
    if isinstance(value, int) and dtype.kind in "iu":
        # The VM hands back i8 and i16 in a wider register: 200 is -56 as an i8.
        bits = value % (1 << dtype.itemsize * 8)
        return np.array(bits, f"u{dtype.itemsize}").view(dtype)
    return np.array(value).astype(dtype)


def _read_back(runtime: Any, device: Any, view: Any, what: str) -> np.ndarray[Any, Any]:
    """The values of a buffer view, copied.

    `DeviceArray.to_host()` of 3.13.0 imports an unaligned host allocation, which Vulkan refuses
    (`minImportedHostPointerAlignment 4096`); so memory that cannot be mapped is copied into a
    staging buffer that can.
    """
    try:
        dtype = np.dtype(runtime.HalElementType.map_to_dtype(view.element_type))
    except ValueError as error:
        raise RunError(
            f"{what} has elements that numpy does not have",
            expected="whole bytes: i8 and wider",
            todo="convert it in the program, for example with arith.extsi to i8",
        ) from error
    shape = tuple(view.shape)
    if 0 in shape:
        return np.empty(shape, dtype)
    buffer = view.get_buffer()
    if not _mappable(runtime, buffer):
        buffer = _staged(runtime, device, buffer)
    mapped = buffer.map()
    return np.array(mapped.asarray(list(shape), dtype))


def _mappable(runtime: Any, buffer: Any) -> bool:
    visible = int(runtime.MemoryType.HOST_VISIBLE)
    scoped = int(runtime.BufferUsage.MAPPING_SCOPED)
    return (
        int(buffer.memory_type()) & visible == visible
        and int(buffer.allowed_usage()) & scoped == scoped
    )


def _staged(runtime: Any, device: Any, source: Any) -> Any:
    memory, usage = runtime.MemoryType, runtime.BufferUsage
    target = device.allocator.allocate_buffer(
        memory_type=int(memory.HOST_LOCAL | memory.DEVICE_VISIBLE),
        allowed_usage=int(usage.TRANSFER_TARGET | usage.MAPPING_SCOPED),
        allocation_size=source.byte_length(),
    )
    semaphore = device.create_semaphore(0)
    fence = runtime.HalFence.create_at(semaphore, 1)
    device.queue_copy(
        source,
        target,
        wait_semaphores=runtime.HalFence.create_at(semaphore, 0),
        signal_semaphores=fence,
    )
    fence.wait()
    return target
