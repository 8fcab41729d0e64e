from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from iree_layers.errors import RunError
from iree_layers.execute.array import dtype_name, numpy_dtype, shape_text, to_input, to_numpy


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        (np.bool_, "i1"),
        (np.int8, "i8"),
        (np.uint8, "ui8"),
        (np.int64, "i64"),
        (np.float16, "f16"),
        (np.float64, "f64"),
        (np.complex64, "complex<f32>"),
        (ml_dtypes.bfloat16, "bf16"),
        (ml_dtypes.float8_e4m3fn, "f8E4M3FN"),
    ],
)
def test_names_go_both_ways(dtype: type, name: str) -> None:
    assert dtype_name(np.dtype(dtype)) == name
    assert np.dtype(dtype) in numpy_dtype(name)
    assert shape_text(np.zeros((2, 3), dtype)) == f"2x3x{name}"


def test_integers_without_a_sign_take_both() -> None:
    assert numpy_dtype("i32") == (np.dtype("int32"), np.dtype("uint32"))
    assert numpy_dtype("si32") == (np.dtype("int32"),)
    assert numpy_dtype("i4") == ()


def test_arrays_come_in_c_order_and_in_this_byte_order() -> None:
    wanted = np.arange(6, dtype=np.float32).reshape(2, 3)
    for given in (np.asfortranarray(wanted), wanted.astype(">f4"), wanted[:, ::-1][:, ::-1]):
        found = to_numpy(given)
        assert found.flags.c_contiguous
        assert found.dtype == np.dtype("float32")
        np.testing.assert_array_equal(found, wanted)
    assert to_numpy(np.float32(3)).shape == ()


def test_python_numbers_stay_numbers_and_numpy_scalars_do_not() -> None:
    assert to_input(2.5).value == 2.5
    assert isinstance(to_input(True).value, bool)
    # np.float64 is a Python float too, but its dtype was chosen
    assert isinstance(to_input(np.float64(2.5)).value, np.ndarray)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1.0, 2.0], ["argument 1 is a list", "np.array(x, dtype=np.float32)"]),
        (None, ["argument 1 is None"]),
        ("abc", ["argument 1 is a str"]),
        (np.array(["a"]), ["numpy array of <U1"]),
        (np.array([None]), ["numpy array of object"]),
        (np.zeros(2, "datetime64[s]"), ["datetime64"]),
    ],
    ids=["list", "none", "str", "strings", "objects", "dates"],
)
def test_refuses_what_holds_no_numbers(value: object, words: list[str]) -> None:
    with pytest.raises(RunError) as caught:
        to_input(value, 1)
    assert all(word in str(caught.value) for word in words)


def test_anything_with_the_array_protocol() -> None:
    class Mine:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return np.ones(3, np.int16)

    class Closed:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            raise ValueError("on another device")

    np.testing.assert_array_equal(to_numpy(Mine()), np.ones(3, np.int16))
    with pytest.raises(RunError, match="on another device"):
        to_numpy(Closed())


def test_torch_tensors() -> None:
    torch = pytest.importorskip("torch")
    wanted = np.arange(6, dtype=np.float32).reshape(2, 3)
    tensor = torch.from_numpy(wanted.T.copy()).T.requires_grad_()
    assert to_input(tensor).torch
    np.testing.assert_array_equal(to_numpy(tensor), wanted)
    half = torch.tensor([[1.0, -0.5, 3.140625]], dtype=torch.bfloat16)
    found = to_numpy(half)
    assert found.dtype == ml_dtypes.bfloat16
    assert found.shape == (1, 3)
    np.testing.assert_array_equal(found.astype(np.float32), [[1.0, -0.5, 3.140625]])
    for dtype in ("bool", "uint8", "int64", "float16", "float64", "complex64", "float8_e5m2"):
        zeros = torch.zeros((), dtype=getattr(torch, dtype))
        assert to_numpy(zeros).dtype.name == dtype
    np.testing.assert_array_equal(to_numpy(torch.tensor([1 + 2j]).conj()), [1 - 2j])


def test_torch_tensors_without_memory() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(RunError, match="meta"):
        to_numpy(torch.zeros(2, device="meta"))
    with pytest.raises(RunError, match="sparse"):
        to_numpy(torch.eye(2).to_sparse())
