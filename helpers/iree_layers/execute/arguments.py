"""Do these inputs fit this signature? Checked by us, before the runtime sees them.

The runtime checks sizes only where the program reads them (a function that returns its argument
takes any shape), wraps integers that are too large, and its messages name no remedy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import RunError
from .array import Input, dtype_name, numpy_dtype, shape_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .signature import Signature, ValueType

__all__ = ["Value", "fit"]

Value = np.ndarray[Any, Any] | int | float
"What the runtime takes: an array, or a number for a scalar argument."


def fit(signature: Signature, inputs: Sequence[Input]) -> tuple[Value, ...]:
    """The inputs as the function takes them: arrays for tensors, numbers for scalars.

    A Python number given for a tensor without dimensions becomes an array of its dtype.

    Raises:
        RunError: another number of inputs, or one of another shape, rank or dtype; the message
            says which, what was expected, and what would fit.
    """
    if not signature.declared:
        return tuple(_undeclared(one) for one in inputs)
    wanted = signature.arguments
    if len(inputs) != len(wanted):
        raise RunError(
            f"{signature.name} takes {_count(len(wanted), 'argument')}, {len(inputs)} given",
            expected=str(signature),
            todo="give one array or number for each argument, in this order",
        )
    return tuple(_fit_one(signature, place, one) for place, one in enumerate(inputs))


def _fit_one(signature: Signature, place: int, given: Input) -> Value:
    wanted = signature.arguments[place]
    where = f"argument {place} of {signature.name}"
    if wanted.text == "!hal.buffer_view":
        return np.asarray(given.value)
    dtypes = numpy_dtype(wanted.dtype)
    if not dtypes:
        raise RunError(
            f"{where} is {wanted.text}, and numpy has nothing like it",
            expected="tensors and scalars of whole bytes",
            todo="give the program a function that takes a tensor of i8 or wider",
        )
    if wanted.kind == "scalar" and dtypes[0].kind != "c":
        return _number(where, wanted, given, dtypes[0])
    if not isinstance(given.value, np.ndarray):
        if wanted.shape == ():
            return _zero_d(where, wanted, given.value, dtypes[0])
        todo = f"give an array of shape {_shape(wanted)}, for example with np.full"
        raise _mismatch(where, wanted, given, todo)
    return _tensor(where, wanted, given, dtypes)


def _tensor(
    where: str, wanted: ValueType, given: Input, dtypes: tuple[np.dtype[Any], ...]
) -> np.ndarray[Any, Any]:
    array = np.asarray(given.value)
    steps = []
    if not _same_shape(array.shape, wanted.shape):
        steps.append(_reshape_advice(array.shape, wanted))
    if array.dtype not in dtypes:
        steps.append(_cast_advice(array, wanted, dtypes[0], torch=given.torch))
    if steps:
        raise _mismatch(where, wanted, given, ", then ".join(steps))
    return array


def _number(where: str, wanted: ValueType, given: Input, dtype: np.dtype[Any]) -> int | float:
    value = given.value
    if isinstance(value, np.ndarray):
        if value.size != 1:
            raise _mismatch(where, wanted, given, "give one number")
        value = value.reshape(()).item()
    if dtype.kind in "biu":
        return int(_zero_d(where, wanted, value, dtype))
    return float(_zero_d(where, wanted, value, dtype))


def _zero_d(
    where: str, wanted: ValueType, value: bool | int | float | complex, dtype: np.dtype[Any]
) -> np.ndarray[Any, Any]:
    """A number as an array without dimensions, without losing what the number says."""
    whole = isinstance(value, int)
    if dtype.kind in "biu" and not whole:
        raise _mismatch(where, wanted, Input(value), "give a whole number, for example int(x)")
    if dtype.kind != "c" and isinstance(value, complex):
        raise _mismatch(where, wanted, Input(value), "give a real number")
    if whole and dtype.kind in "biu" and not _in_range(int(value.real), wanted.dtype, dtype):
        raise RunError(
            f"{where} is {value}, too large for {wanted.dtype}",
            expected=f"a number that fits {dtype.itemsize * 8} bits"
            if dtype.kind != "b"
            else "True or False",
            todo="give a smaller number",
        )
    if whole and dtype.kind in "iu":
        # i32 has no sign: 2**32 - 1 and -1 are the same bits
        bits = int(value.real) % (1 << dtype.itemsize * 8)
        return np.array(bits, f"u{dtype.itemsize}").view(dtype)
    with np.errstate(over="ignore"):  # 1e300 is inf in f32, as everywhere
        return np.array(value).astype(dtype)


def _in_range(value: int, name: str, dtype: np.dtype[Any]) -> bool:
    if dtype.kind == "b":
        return value in (0, 1)
    bits = dtype.itemsize * 8
    low = 0 if name.startswith("u") else -(1 << bits - 1)
    high = 1 << bits - 1 if name.startswith("s") else 1 << bits
    return low <= value < high


def _undeclared(given: Input) -> Value:
    if isinstance(given.value, complex):
        return np.asarray(given.value)
    return given.value


def _mismatch(where: str, wanted: ValueType, given: Input, todo: str) -> RunError:
    return RunError(f"{where} is {shape_text(given.value)}", expected=str(wanted), todo=todo)


def _same_shape(found: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    return len(found) == len(wanted) and all(
        want is None or want == size for size, want in zip(found, wanted, strict=True)
    )


def _reshape_advice(found: tuple[int, ...], wanted: ValueType) -> str:
    if len(found) >= 2 and _same_shape(found[::-1], wanted.shape):
        return "the transposed array .T fits"
    if _same_shape((1, *found), wanted.shape):
        return "add the leading dimension: x[None]"
    fixed = [size for size in wanted.shape if size is not None]
    if len(fixed) == len(wanted.shape) and math.prod(fixed) == math.prod(found):
        return f".reshape{_shape(wanted)}"
    if len(found) != len(wanted.shape):
        dimensions = _count(len(wanted.shape), "dimension")
        return f"give an array with {dimensions}, {_shape(wanted)}"
    free = " (? is any size)" if None in wanted.shape else ""
    return f"give an array of shape {_shape(wanted)}{free}"


def _cast_advice(
    array: np.ndarray[Any, Any], wanted: ValueType, dtype: np.dtype[Any], *, torch: bool
) -> str:
    if torch:
        return f".to(torch.{dtype.name})"
    owner = "np" if dtype.isbuiltin == 1 else "ml_dtypes"
    name = "bool_" if dtype.name == "bool" else dtype.name
    advice = f".astype({owner}.{name})"
    if dtype_name(array.dtype) == "f64" and wanted.dtype == "f32":
        advice += (
            " (if the program says f64: iree-compile made it f32; "
            "--iree-input-demote-f64-to-f32=false keeps it)"
        )
    return advice


def _shape(wanted: ValueType) -> str:
    sizes = ["?" if size is None else str(size) for size in wanted.shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
