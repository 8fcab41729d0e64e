"""Handed out by export, external because the caller gets it, binding 3, allocated in the queue."""

answer: dict[str, object] = {
    "abi": "hal.tensor.export",
    "stream": "external",
    "executable-sources": 3,
    "hal": "hal.device.queue.alloca",
    "vm": "hal.buffer_view.create",
}
