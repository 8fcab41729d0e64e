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
    "import: snapshot 7 (after iree-abi-wrap-entry-points)\nstream.timepoint.await": _by_name,
    "llvm.func: snapshot ": _codegen_last,
    "vm.call is missing": _good[:-1],
    "linalg.matmul is there twice": [_good[0], *_good[:-1]],
    "vm.return is not one of them": (*_good[:-1], "vm.return"),
    "one text": ", ".join(_good),
    "a set": set(_good),
}
