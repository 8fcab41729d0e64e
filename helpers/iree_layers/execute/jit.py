"""LLVM IR called from Python: compiled in this process by llvmlite, with NumPy arrays as memrefs.

A function that takes memrefs becomes, in the LLVM dialect, one that takes for each of them: two
pointers, an offset, and a size and a stride for each dimension (MLIR's bare calling convention of
`expandedMemRef`; see `mlir/docs/TargetLLVMIR.md`, "Ranked MemRef Descriptor").
"""

from __future__ import annotations

import ctypes
import re
from typing import TYPE_CHECKING, Any

from ..errors import RunError, ToolMissing

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["call_llvm"]


def call_llvm(text: str, name: str, *arrays: NDArray[Any]) -> None:
    """Compile LLVM IR for this CPU and call a function of it; it writes into its arrays.

    Native code runs in this process: arrays that do not fit what the code expects end it.

    Args:
        text: LLVM IR, as `llvm.translate_module_to_llvmir` gives it.
        name: a function that takes memrefs and returns nothing.
        arrays: one for each memref.

    Raises:
        ToolMissing: llvmlite is not installed.
        RunError: the IR is refused, there is no such function, or it takes another number of words.
    """
    try:
        import llvmlite.binding as llvm
    except ImportError as error:
        raise ToolMissing(
            "llvmlite is not installed", todo="pip install 'iree-layers[notebooks]'"
        ) from error
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    words = [word for array in arrays for word in _descriptor(array)]
    _check(text, name, len(words))
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        raise RunError(f"LLVM refuses this IR: {error}") from error
    machine = llvm.Target.from_default_triple().create_target_machine(
        opt=2, cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten()
    )
    with llvm.create_mcjit_compiler(module, machine) as engine:
        engine.finalize_object()
        address = engine.get_function_address(name)
        ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(words))(address)(*words)


def _descriptor(array: NDArray[Any]) -> list[int]:
    """What stands for one memref: allocated and aligned pointer, offset, sizes, strides."""
    strides = [stride // array.itemsize for stride in array.strides]
    return [array.ctypes.data, array.ctypes.data, 0, *array.shape, *strides]


def _check(text: str, name: str, words: int) -> None:
    # define void @tile(ptr %0, ptr %1, i64 %2, …) {
    found = re.search(rf"^define void @{re.escape(name)}\(([^)]*)\)", text, re.MULTILINE)
    if found is None:
        known = ", ".join(re.findall(r"^define .*?@([\w.$-]+)\(", text, re.MULTILINE))
        raise RunError(
            f"there is no function {name!r} that returns nothing", expected=f"one of {known}"
        )
    takes = len([part for part in found[1].split(",") if part.strip()])
    if takes != words:
        raise RunError(
            f"the arrays make {words} words, and @{name} takes {takes}",
            expected="an array for each memref, of its rank",
        )
