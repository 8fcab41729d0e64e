"""What a call with fences needs: a context with the module in it, and a list of arguments.

The high-level call of `iree.runtime` supplies no fences (3.13.0), so this is the low-level one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Call", "prepared"]


@dataclass(frozen=True, slots=True)
class Call:
    """A function and its arguments, ready but for the fences."""

    device: Any
    "`HalDevice`"
    context: Any
    "`VmContext` with the HAL module and the program in it"
    function: Any
    arguments: Any
    "`VmVariantList`: the inputs; push the fence to wait for, then the one to signal"
    results: Any

    def invoke(self) -> None:
        """Call it: this returns when the work is queued, not when it is done."""
        self.context.invoke(self.function, self.arguments, self.results)

    def result(self) -> NDArray[np.float32]:
        """The first result, read from memory that the host can map."""
        from iree.runtime import HalBufferView

        view = self.results.get_as_object(0, HalBufferView)
        array = view.map().asarray(list(view.shape), np.dtype("float32"))
        return np.array(array)


def prepared(vmfb: Path, name: str, *arrays: NDArray[np.float32]) -> Call:
    """Load a module on `local-task` and put the inputs into device memory."""
    import iree.runtime as rt

    instance = rt.VmInstance()
    device = rt.get_device("local-task")
    module = rt.VmModule.copy_buffer(instance, vmfb.read_bytes())
    context = rt.VmContext(instance, [rt.create_hal_module(instance, device), module])
    arguments, results = rt.VmVariantList(len(arrays) + 2), rt.VmVariantList(1)
    for array in arrays:
        arguments.push_ref(
            device.allocator.allocate_buffer_copy(
                memory_type=rt.MemoryType.DEVICE_LOCAL,
                allowed_usage=rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING,
                device=device,
                buffer=np.ascontiguousarray(array),
                element_type=rt.HalElementType.FLOAT_32,
            )
        )
    return Call(device, context, module.lookup_function(name), arguments, results)
