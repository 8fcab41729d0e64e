from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from iree_layers.errors import RunError
from iree_layers.execute.arguments import fit
from iree_layers.execute.array import Input, to_input
from iree_layers.execute.signature import Signature, parse_type


def signature(*types: str) -> Signature:
    return Signature("f", tuple(parse_type(one) for one in types), ())


def refusal(kind: str, value: object) -> RunError:
    with pytest.raises(RunError) as caught:
        fit(signature(kind), [to_input(value)])
    return caught.value


@pytest.mark.parametrize(
    ("kind", "value", "found", "expected", "todo"),
    [
        ("tensor<4x8xf32>", np.zeros((4, 8)), "4x8xf64", "4x8xf32", ".astype(np.float32) "),
        ("tensor<4x8xf32>", np.zeros((8, 4), "f4"), "8x4xf32", "4x8xf32", ".T"),
        ("tensor<4x8xf32>", np.zeros(32, "f4"), "32xf32", "4x8xf32", ".reshape(4, 8)"),
        ("tensor<1x8xf32>", np.zeros(8, "f4"), "8xf32", "1x8xf32", "x[None]"),
        ("tensor<?x8xf32>", np.zeros((3, 7), "f4"), "3x7xf32", "?x8xf32", "(?, 8) (? is any size)"),
        ("tensor<?x8xf32>", np.zeros((3, 4, 7), "f4"), "3x4x7xf32", "?x8xf32", "2 dimensions"),
        ("tensor<4xf32>", np.zeros(5, "f4"), "5xf32", "4xf32", "shape (4,)"),
        ("tensor<4xf32>", np.float32(1), "is f32", "4xf32", "1 dimension,"),
        ("tensor<f32>", np.zeros(3, "f4"), "3xf32", "f32", "no dimensions"),
        ("tensor<4xf32>", 2.5, "2.5 (a Python float)", "4xf32", "np.full"),
        ("tensor<4xi32>", np.zeros(4, "i8"), "4xi64", "4xi32", ".astype(np.int32)"),
        ("tensor<4xi1>", np.zeros(4, "i1"), "4xi8", "4xi1", ".astype(np.bool_)"),
        ("tensor<4xbf16>", np.zeros(4, "f4"), "4xf32", "4xbf16", ".astype(ml_dtypes.bfloat16)"),
        ("tensor<4x8xf32>", np.zeros((8, 4)), "8x4xf64", "4x8xf32", ".T fits, then .astype"),
        ("tensor<i32>", 2.5, "2.5 (a Python float)", "i32", "int(x)"),
        ("i32", 2.5, "2.5 (a Python float)", "i32", "int(x)"),
        ("i32", np.zeros(2, "i4"), "2xi32", "i32", "one number"),
        ("f32", 1j, "1j", "f32", "real"),
        ("i8", 256, "256, too large for i8", "8 bits", "smaller"),
        ("si8", 128, "128, too large for si8", "8 bits", "smaller"),
        ("ui8", -1, "-1, too large for ui8", "8 bits", "smaller"),
        ("i1", 2, "2, too large for i1", "True or False", "smaller"),
        ("tensor<4xi4>", np.zeros(4, "i1"), "tensor<4xi4>", "whole bytes", "i8"),
        ("!util.list<?>", 1, "!util.list<?>", "tensors", "tensor"),
    ],
)
def test_says_what_was_found_what_was_expected_and_what_fits(
    kind: str, value: object, found: str, expected: str, todo: str
) -> None:
    error = refusal(kind, value)
    assert found in error.found
    assert "argument 0 of f" in error.found
    assert expected in error.expected
    assert todo in error.todo


def test_says_which_argument() -> None:
    good, bad = to_input(np.zeros(4, np.float32)), to_input(np.zeros(5, np.float32))
    with pytest.raises(RunError, match="argument 1 of f"):
        fit(signature("tensor<4xf32>", "tensor<4xf32>"), [good, bad])


@pytest.mark.parametrize("given", [0, 1, 3])
def test_counts(given: int) -> None:
    with pytest.raises(RunError, match=f"f takes 2 arguments, {given} given"):
        fit(signature("f32", "f32"), [Input(1.0)] * given)


def test_the_advice_for_torch_is_in_torch() -> None:
    value = np.zeros(4, np.float64)
    with pytest.raises(RunError) as caught:
        fit(signature("tensor<4xf32>"), [Input(value, torch=True)])
    assert caught.value.todo == ".to(torch.float32)"


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        ("i32", 7, 7),
        ("i32", 2**32 - 1, -1),
        ("i8", 200, -56),
        ("ui8", 200, 200),
        ("index", 2**40, 2**40),
        ("i1", True, 1),
        ("i32", np.int64(7), 7),
        ("f32", 3, 3.0),
        ("f32", np.zeros((1, 1)), 0.0),
        ("f64", 1e300, 1e300),
        ("f32", 1e300, float("inf")),
    ],
)
def test_scalars(kind: str, value: object, wanted: float) -> None:
    (found,) = fit(signature(kind), [to_input(value)])
    assert found == wanted
    assert isinstance(found, type(wanted))


def test_numbers_take_the_dtype_of_a_tensor_without_dimensions() -> None:
    for kind, value, dtype in [
        ("tensor<f32>", 2, np.float32),
        ("tensor<bf16>", 2.5, ml_dtypes.bfloat16),
        ("tensor<i8>", 200, np.int8),
        ("tensor<i1>", True, np.bool_),
        ("tensor<complex<f32>>", 1j, np.complex64),
    ]:
        (found,) = fit(signature(kind), [to_input(value)])
        assert isinstance(found, np.ndarray)
        assert found.dtype == dtype
        assert found.shape == ()


def test_a_good_array_is_passed_on_as_it_is() -> None:
    array = np.zeros((3, 8), np.uint32)
    (found,) = fit(signature("tensor<?x8xi32>"), [to_input(array)])
    assert found is array
    (found,) = fit(signature("!hal.buffer_view"), [to_input(array)])
    assert found is array


def test_an_undeclared_function_takes_anything() -> None:
    unknown = Signature("f", (), (), declared=False)
    assert fit(unknown, [Input(1), Input(2.5)]) == (1, 2.5)
    assert str(unknown) == "f(?)"
