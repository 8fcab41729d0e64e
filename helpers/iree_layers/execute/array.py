"""Arrays and numbers on their way into a compiled module and out of it.

In: numpy arrays, torch tensors, anything with `__array__`, Python numbers. Out: numpy arrays in
C order, and element types by MLIR's names (`f32`, `bf16`, `i1`, `ui8`), which the module's
signature uses too. bf16 and the 8-bit floats are the dtypes of `ml_dtypes`, a dependency of
iree-base-runtime itself, so nothing more needs to be installed for them.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import RunError

__all__ = ["Input", "dtype_name", "numpy_dtype", "shape_text", "to_input", "to_numpy"]

# MLIR's integers have no sign unless they say so (`si8`, `ui8`): `i32` takes int32 and uint32.
_NAMES: dict[str, tuple[str, ...]] = {
    "i1": ("bool",),
    "i8": ("int8", "uint8"),
    "i16": ("int16", "uint16"),
    "i32": ("int32", "uint32"),
    "i64": ("int64", "uint64"),
    "index": ("int64", "uint64"),
    "si8": ("int8",),
    "si16": ("int16",),
    "si32": ("int32",),
    "si64": ("int64",),
    "ui8": ("uint8",),
    "ui16": ("uint16",),
    "ui32": ("uint32",),
    "ui64": ("uint64",),
    "f16": ("float16",),
    "f32": ("float32",),
    "f64": ("float64",),
    "complex<f32>": ("complex64",),
    "complex<f64>": ("complex128",),
    "bf16": ("bfloat16",),
    "f8E4M3FN": ("float8_e4m3fn",),
    "f8E4M3FNUZ": ("float8_e4m3fnuz",),
    "f8E5M2": ("float8_e5m2",),
    "f8E5M2FNUZ": ("float8_e5m2fnuz",),
    "f8E8M0FNU": ("float8_e8m0fnu",),
}
_EXTENSIONS = frozenset(
    name for names in _NAMES.values() for name in names if name.startswith(("bfloat", "float8"))
)
# numpy's name → the name that says its sign, which is the better one in a message about arrays
_SHORT = {name: mlir for mlir, names in _NAMES.items() for name in names if mlir != "index"}
_SHORT.update({f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)})


@dataclass(frozen=True, slots=True)
class Input:
    """One argument of a call, ready to be sent."""

    value: np.ndarray[Any, Any] | bool | int | float | complex
    torch: bool = False
    "it was a torch tensor, so advice about it names torch's methods"


def to_input(value: object, position: int = 0) -> Input:
    """One argument of the learner as an array in C order, or as a Python number.

    Args:
        value: numpy array or scalar, torch tensor, anything with `__array__`, or a number.
        position: 0-based place among the arguments, for the message.

    Raises:
        RunError: it is none of these, or an array that no module can take.
    """
    if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
        return Input(value)
    return Input(to_numpy(value, f"argument {position}"), _is_torch(value))


def to_numpy(value: object, what: str = "the value") -> np.ndarray[Any, Any]:
    """Anything that holds numbers, as a numpy array in C order and in this machine's byte order.

    Raises:
        RunError: it holds no numbers, or no memory (torch's meta tensors), or is not dense.
    """
    if _is_torch(value):
        value = _from_torch(value, what)
    elif not isinstance(value, (np.ndarray, np.generic, bool, int, float, complex)):
        value = _from_protocol(value, what)
    array = np.asarray(value, order="C")
    if array.dtype.byteorder not in "=|" and array.dtype.name in _SHORT:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.name not in _SHORT:
        raise RunError(
            f"{what} is a numpy array of {array.dtype}",
            expected="an array of bool, int8…int64, uint8…uint64, float16…float64, bfloat16, "
            "an 8-bit float or complex",
            todo="convert it, for example with .astype(np.float32)",
        )
    return array


def dtype_name(dtype: np.dtype[Any]) -> str:
    """MLIR's name of a numpy dtype: `float32` → `f32`, `bool` → `i1`, `uint8` → `ui8`."""
    return _SHORT.get(dtype.name, dtype.name)


@functools.cache
def numpy_dtype(name: str) -> tuple[np.dtype[Any], ...]:
    """Dtypes that fit an element type, the one that results have first; () if there is none."""
    found = _NAMES.get(name, ())
    if not _EXTENSIONS.intersection(found):
        return tuple(np.dtype(one) for one in found)
    import ml_dtypes

    return tuple(np.dtype(getattr(ml_dtypes, one)) for one in found)


def shape_text(value: np.ndarray[Any, Any] | bool | int | float | complex) -> str:
    """An argument as signatures write it: `4x8xf32`; a Python number as `3 (a Python int)`."""
    if not isinstance(value, np.ndarray):
        return f"{value!r} (a Python {type(value).__name__})"
    return "x".join([*map(str, value.shape), dtype_name(value.dtype)])


def _is_torch(value: object) -> bool:
    # A tensor can only exist where torch is loaded already, so that it is never imported for this.
    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", None)
    return tensor is not None and isinstance(value, tensor)


def _from_torch(value: Any, what: str) -> np.ndarray[Any, Any]:
    torch = sys.modules["torch"]
    if value.device.type == "meta" or value.layout is not torch.strided or value.is_quantized:
        kind = "meta" if value.device.type == "meta" else str(value.layout)
        raise RunError(
            f"{what} is a torch tensor without plain dense memory ({kind})",
            expected="a dense tensor with values",
            todo="use .to_dense(), .dequantize(), or a tensor that was not made on device 'meta'",
        )
    plain = value.detach().cpu().resolve_conj().resolve_neg().contiguous()
    name = str(plain.dtype).removeprefix("torch.")
    if name not in _EXTENSIONS:
        array: np.ndarray[Any, Any] = plain.numpy()
        return array
    # numpy has no such dtype, so the bits travel as integers of the same width.
    bits = torch.int16 if plain.element_size() == 2 else torch.uint8
    array = plain.view(bits).numpy()
    return array.view(numpy_dtype(_SHORT[name])[0])


def _from_protocol(value: object, what: str) -> np.ndarray[Any, Any]:
    if not hasattr(value, "__array__"):
        # an easy slip with its own advice: run(vmfb, "f", [1.0, 2.0])
        listed = isinstance(value, (list, tuple))
        raise RunError(
            f"{what} is {'None' if value is None else f'a {type(value).__name__}'}",
            expected="a numpy array, a torch tensor or a number",
            todo="np.array(x, dtype=np.float32)" if listed else "give the values themselves",
        )
    try:
        return np.asarray(value)
    except Exception as error:
        raise RunError(
            f"{what} is a {type(value).__name__} that does not give its values: {error}",
            expected="an array whose values this process can read",
            todo="copy it to the host first",
        ) from error
