"""The list of candidates is in the order of the flags."""

from stages.s5_hal.variants import fat

answer = list(fat("vulkan-spirv", "llvm-cpu").flags)
