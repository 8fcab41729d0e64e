from stages.s2_pipeline.solutions.ex_2_2 import answer as _good

_by_name = [
    "linalg.matmul",
    "flow.dispatch.workgroups",
    "stream.timepoint.await",
    "hal.tensor.import",
    "hal.executable.variant",
    "hal.command_buffer.dispatch",
    "llvm.func",
    "vm.call",
]
_codegen_last = [*_good[:5], "hal.command_buffer.dispatch", "llvm.func", "vm.call"]

wrong = {
    "hal.tensor.import before stream.timepoint.await": _by_name,
    "llvm.func before hal.command_buffer.dispatch": _codegen_last,
    "7 names": _good[:-1],
    "vm.return is not one of them": [*_good[:-1], "vm.return"],
}
