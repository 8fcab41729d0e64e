from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from iree_layers.errors import RunError
from iree_layers.execute import agree
from iree_layers.execute.agree import tolerance

FLOATS = st.sampled_from([np.float16, np.float32, np.float64, np.complex64])
WHOLE = st.sampled_from([np.int8, np.uint8, np.int64, np.uint64, np.bool_])
SHAPES = hnp.array_shapes(min_dims=0, min_side=0, max_dims=3, max_side=4)


def test_a_good_verdict_is_one_line_without_numbers_of_this_machine() -> None:
    a = np.arange(64, dtype=np.float32).reshape(4, 16)
    good = agree(a, a * np.float32(1 + 1e-6))
    assert str(good) == repr(good) == "agree: 4x16 f32, within rtol 1e-05 atol 1e-06"
    assert good
    assert good.max_rel > 0
    assert "max abs" in good.detail
    assert str(agree(a.astype(int), a.astype(int))) == "agree: 4x16 i64, equal"
    assert str(agree(2.5, 2.5)) == "agree: scalar f64, within rtol 1e-05 atol 1e-06"


def test_a_bad_verdict_says_where_and_how_much() -> None:
    a = np.zeros((3, 4), np.float32)
    b = a.copy()
    b[1, 2], b[2, 0] = 0.5, -0.25
    bad = agree(a, b)
    assert not bad
    assert (bad.first, bad.values, bad.n_differ, bad.size) == ((1, 2), (0.0, 0.5), 2, 12)
    assert (bad.max_abs, bad.max_rel) == (0.5, 1.0)
    assert str(bad) == (
        "differ: 3x4 f32, 2 of 12 values not within rtol 1e-05 atol 1e-06; "
        "first at [1, 2]: 0 against 0.5; max abs 0.5, max rel 1"
    )


@given(st.data(), st.one_of(FLOATS, WHOLE))
def test_everything_agrees_with_itself(data: st.DataObject, dtype: type) -> None:
    a = data.draw(hnp.arrays(dtype, SHAPES))
    verdict = agree(a, a.copy())
    assert verdict.ok
    assert (verdict.max_abs, verdict.max_rel, verdict.first) == (0.0, 0.0, None)


@given(st.data(), FLOATS, st.booleans())
def test_is_numpys_verdict(data: st.DataObject, dtype: type, equal_nan: bool) -> None:
    shape = data.draw(SHAPES)
    a, b = data.draw(hnp.arrays(dtype, shape)), data.draw(hnp.arrays(dtype, shape))
    if data.draw(st.booleans()):
        b = np.where(data.draw(hnp.arrays(np.bool_, shape)), a, b)
    verdict = agree(a, b, rtol=1e-3, atol=1e-3, equal_nan=equal_nan)
    wide = np.complex128 if np.dtype(dtype).kind == "c" else np.float64
    with np.errstate(all="ignore"):
        close = np.isclose(
            a.astype(wide), b.astype(wide), rtol=1e-3, atol=1e-3, equal_nan=equal_nan
        )
    assert verdict.ok == close.all()
    assert verdict.n_differ == (~close).sum()
    if not verdict.ok:
        assert verdict.first == tuple(np.argwhere(~close)[0])


@given(st.data(), WHOLE)
def test_integers_are_exact(data: st.DataObject, dtype: type) -> None:
    shape = data.draw(SHAPES)
    a, b = data.draw(hnp.arrays(dtype, shape)), data.draw(hnp.arrays(dtype, shape))
    verdict = agree(a, b, rtol=100, atol=100)
    differ = [(int(x), int(y)) for x, y in zip(a.flat, b.flat, strict=True) if x != y]
    assert verdict.n_differ == len(differ)
    assert verdict.max_abs == float(max((abs(x - y) for x, y in differ), default=0))


def test_the_ends_of_int64_do_not_wrap() -> None:
    low, high = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    verdict = agree(np.array([low]), np.array([high]))
    assert verdict.max_abs == float(2**64 - 1)
    assert agree(np.array([2**53 + 1]), np.array([2**53])).n_differ == 1


@pytest.mark.parametrize(
    ("a", "b", "ok"),
    [
        (np.nan, np.nan, True),
        (np.inf, np.inf, True),
        (-np.inf, np.inf, False),
        (np.inf, 1e30, False),
        (1e30, np.inf, False),
        (np.nan, 1.0, False),
        (1.0, np.nan, False),
        (np.nan, np.inf, False),
        (0.0, -0.0, True),
    ],
)
def test_special_values(a: float, b: float, ok: bool) -> None:
    verdict = agree(np.array([1.0, a], np.float32), np.array([1.0, b], np.float32))
    assert verdict.ok == ok
    assert verdict.max_abs == (0.0 if ok else np.inf)
    assert verdict.first == (None if ok else (1,))


def test_nan_differs_from_nan_on_demand() -> None:
    a = np.array([np.nan, 1.0])
    assert not agree(a, a, equal_nan=False)


def test_narrow_floats_have_wider_tolerances() -> None:
    assert tolerance(np.dtype(np.float32)) == (1e-5, 1e-6)
    for dtype in (np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn):
        a = np.array([1.0, 64.0, 0.0]).astype(dtype)
        step = tolerance(np.dtype(dtype))[1]
        near = (a.astype(np.float64) * (1 + step)).astype(dtype)
        far = (a.astype(np.float64) * (1 + 8 * step)).astype(dtype)
        assert agree(a, near).ok
        assert agree(a, near).max_abs > 0
        assert not agree(a, far)
        # an explicit tolerance is taken as it is
        assert not agree(a, near, rtol=0, atol=0)


def test_other_shapes_and_dtypes_are_verdicts() -> None:
    a = np.zeros((2, 3), np.float32)
    assert str(agree(a, a.T)) == "differ: shape 2x3 against 3x2"
    assert str(agree(a, a.astype(np.float64))) == "differ: dtype f32 against f64"
    assert str(agree(a, 0.0)) == "differ: shape 2x3 against scalar"
    assert not agree(a, a.T)


def test_several_results() -> None:
    a, b = np.zeros(3, np.float32), np.arange(2)
    good = agree((a, b), [a, b])
    assert good
    assert str(good) == ("agree: 2 results: 3 f32 within rtol 1e-05 atol 1e-06, 2 i64 equal")
    assert good.detail.count("\n") > 2
    bad = agree((a, b), (a, b + 1))
    assert str(bad).startswith("differ: result 1: 2 i64, 2 of 2 values not equal; first at [0]: 0 ")
    assert [one.ok for one in bad.parts] == [True, False]
    assert str(agree((a, b), (a,))) == "differ: 2 results against 1 result"
    assert str(agree((), ())) == "agree: 0 results"
    assert agree((a,), a)


def test_large_arrays_are_compared_in_blocks() -> None:
    a = np.zeros((3, 1 << 20), np.float32)
    b = a.copy()
    b[2, 5], b[0, 7] = 1, 0.5
    verdict = agree(a, b)
    assert (verdict.first, verdict.n_differ, verdict.max_abs) == ((0, 7), 2, 1.0)


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    a = torch.arange(6, dtype=torch.bfloat16).reshape(2, 3)
    assert str(agree(a, a)) == "agree: 2x3 bf16, within rtol 0.03125 atol 0.0078125"


def test_refuses_what_holds_no_numbers() -> None:
    with pytest.raises(RunError, match="the second is None"):
        agree(np.zeros(2), None)
