import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from iree_layers.compare import align as engine
from iree_layers.compare.align import align

SMALL = st.lists(st.integers(0, 3), max_size=24)
# Every road through the engine: matrix limits and window sizes that small inputs exceed.
ROADS = [(4096**2, 2**29, (4096, 16384)), (4, 4, (4, 8)), (1, 1, (2, 4)), (9, 1, (6,)), (1, 1, ())]


def longest(a, b):
    """Length of a longest common subsequence, by the textbook table."""
    row = [0] * (len(b) + 1)
    for x in a:
        old = row[:]
        for j, y in enumerate(b):
            row[j + 1] = old[j] + 1 if x == y else max(row[j], old[j + 1])
    return row[-1]


def ids(values):
    return np.array(values, np.int32)


def check(a, b, blocks):
    i_end = j_end = 0
    for i, j, n in blocks:
        assert n > 0
        assert i >= i_end
        assert j >= j_end
        assert (i, j) != (i_end, j_end) or not i_end, "neighbours are merged"
        assert list(a[i : i + n]) == list(b[j : j + n])
        i_end, j_end = i + n, j + n
    assert i_end <= len(a)
    assert j_end <= len(b)


@pytest.mark.parametrize("road", ROADS)
@given(SMALL, SMALL)
def test_minimal_on_every_road(road, a, b):
    names = ("DIRECT", "DIRECT_LIMIT", "WINDOWS")
    before = [getattr(engine, name) for name in names]
    for name, value in zip(names, road, strict=True):
        setattr(engine, name, value)
    try:
        blocks = align(ids(a), ids(b))
    finally:
        for name, value in zip(names, before, strict=True):
            setattr(engine, name, value)
    check(a, b, blocks)
    assert sum(n for _, _, n in blocks) == longest(a, b)


@given(SMALL)
def test_equal_sequences_are_one_block(a):
    assert align(ids(a), ids(a)) == ([(0, 0, len(a))] if a else [])


@given(SMALL, SMALL)
def test_symmetric_in_length(a, b):
    there, back = align(ids(a), ids(b)), align(ids(b), ids(a))
    assert sum(n for _, _, n in there) == sum(n for _, _, n in back)


def edited(length, edits, values, seed):
    """A repetitive sequence and the same with some places changed."""
    rng = random.Random(seed)
    a = [rng.randrange(values) for _ in range(length)]
    b = list(a)
    for _ in range(edits):
        at = rng.randrange(len(b))
        b[at : at + rng.randrange(3)] = [rng.randrange(values) for _ in range(rng.randrange(3))]
    return a, b


@pytest.mark.parametrize("values", [3, 40, 5000])
def test_minimal_where_the_windows_are_used(values):
    a, b = edited(9000, 900, values, seed=values)
    assert len(a) * len(b) > engine.DIRECT
    blocks = align(ids(a), ids(b))
    check(a, b, blocks)
    assert sum(n for _, _, n in blocks) == LCSseq.similarity(a, b)


def test_minimal_where_the_windows_fail(monkeypatch):
    # Two long insertions: no window sees both sides of either.
    a, _ = edited(3000, 0, 5, seed=1)
    extra, _ = edited(2600, 0, 5, seed=2)
    b = [*a[:1000], *extra[:1300], *a[1000:2000], *extra[1300:], *a[2000:]]
    monkeypatch.setattr(engine, "DIRECT", 10_000)
    monkeypatch.setattr(engine, "WINDOWS", (64,))
    divided = []
    original = engine._divided
    monkeypatch.setattr(engine, "_divided", lambda *args: divided.append(1) or original(*args))
    blocks = align(ids(a), ids(b))
    check(a, b, blocks)
    assert sum(n for _, _, n in blocks) == LCSseq.similarity(a, b)
    assert divided, "this input is there to take the last road"


def test_values_beyond_the_surrogates():
    a = list(range(0xD700, 0xE100))
    b = a[:100] + a[200:]
    assert align(ids(a), ids(b)) == [(0, 0, 100), (200, 100, len(b) - 100)]
