"""What TVM's runtime decided call by call, the compiler wrote down as ops."""

answer = {
    "AllocDataSpace": "hal.device.queue.alloca",
    "StreamSync": "hal.fence.await",
    "cuModuleLoadData": "hal.executable.create",
    "cuModuleGetFunction": "hal.executable.lookup.function",
    "cuLaunchKernel": "hal.command_buffer.dispatch",
    "shape assertions": "hal.buffer_view.assert",
}
