from __future__ import annotations

import io

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from iree_layers.execute.wire import receive, send

DTYPES = st.sampled_from(["f4", "f2", "i8", "u1", "?", "c8"])


@given(
    st.lists(hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, min_side=0, max_dims=4)), max_size=4)
)
def test_arrays_arrive_as_they_were(arrays: list[np.ndarray]) -> None:
    pipe = io.BytesIO()
    send(pipe, arrays)
    send(pipe, "next")
    pipe.seek(0)
    found = receive(pipe)
    assert len(found) == len(arrays)
    for sent, got in zip(arrays, found, strict=True):
        assert got.tobytes() == sent.tobytes()
        assert (got.dtype, got.shape) == (sent.dtype, sent.shape)
        assert got.flags.writeable
    assert receive(pipe) == "next"


def test_bf16_and_arrays_that_are_not_contiguous() -> None:
    pipe = io.BytesIO()
    sent = np.arange(6).astype(ml_dtypes.bfloat16).reshape(2, 3)[:, ::2]
    send(pipe, sent)
    pipe.seek(0)
    got = receive(pipe)
    assert got.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(got, sent)


@given(st.data())
def test_a_cut_message_is_an_end(data: st.DataObject) -> None:
    pipe = io.BytesIO()
    send(pipe, np.zeros(100))
    whole = pipe.getvalue()
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    with pytest.raises(EOFError, match="missing"):
        receive(io.BytesIO(cut))
