"""Two hal ops come early: the front door (abi) and the variant (before code is generated)."""

answer = [
    "linalg.matmul",
    "hal.tensor.import",
    "flow.dispatch.workgroups",
    "stream.timepoint.await",
    "hal.executable.variant",
    "llvm.func",
    "hal.command_buffer.dispatch",
    "vm.call",
]
