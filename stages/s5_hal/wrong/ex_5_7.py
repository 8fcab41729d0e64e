from stages.s5_hal.variants import fat

_CPU = ["--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host"]
_TWO = ["--iree-hal-target-device=vulkan", "--iree-hal-target-device=local"]

wrong = {
    "the CPU is asked first": list(fat("llvm-cpu", "vulkan-spirv").flags),
    "2: the program is for all of them": [*_TWO, *_CPU],
    "only vulkan": list(fat("vulkan-spirv").flags),
    "flags that compile": ["--iree-hal-target-backends=vulkan"],
    "a list of flags": {"first": "vulkan"},
}
