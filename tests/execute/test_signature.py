from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.execute.signature import parse_declaration, parse_type

# each as `iree-dump-module` 3.13.0 prints it
DECLARATIONS = [
    (
        "sync func @mlp(%input0: tensor<4x8xf32>, %input1: tensor<8x16xf32>) -> "
        "(%output0: tensor<4x16xf32>)",
        "mlp(4x8xf32, 8x16xf32) -> 4x16xf32",
    ),
    ("sync func @nothing(%input0: i32) -> ()", "nothing(i32) -> ()"),
    ("sync func @none() -> ()", "none() -> ()"),
    (
        "sync func @two(%input0: tensor<?x8xi32>) -> (%output0: tensor<i1>, %output1: index)",
        "two(?x8xi32) -> i1, index",
    ),
    ("async func @add(%input0: tensor<4xf32>) -> ()", "async add(4xf32) -> ()"),
    (
        "sync func @we ird, (name)(%input0: tensor<4xui8>, %input1: tensor<si8>) -> "
        "(%output0: tensor<4xui8>)",
        "we ird, (name)(4xui8, si8) -> 4xui8",
    ),
    (
        'sync func @store(%input0: tensor<4xf32> {iree.identifier = "a, (b"}, '
        "%input1: tensor<4xf32> {iree.abi.output = 0 : index}) -> "
        '(%output0: tensor<4xf32> {iree.identifier = "logits"})',
        "store(4xf32, 4xf32) -> 4xf32",
    ),
    (
        "sync func @c(%input0: tensor<4xcomplex<f32>>, %input1: !util.list<?>) -> "
        "(%output0: f8E4M3FN)",
        "c(4xcomplex<f32>, !util.list<?>) -> f8E4M3FN",
    ),
]


@pytest.mark.parametrize(("text", "shown"), DECLARATIONS, ids=[d[1][:12] for d in DECLARATIONS])
def test_reads_what_the_compiler_writes(text: str, shown: str) -> None:
    signature = parse_declaration(text)
    assert signature is not None
    assert str(signature) == shown


@pytest.mark.parametrize("text", ["", "func @f()", "sync func @f", "0rr_r"])
def test_other_text_is_no_signature(text: str) -> None:
    assert parse_declaration(text) is None


@pytest.mark.parametrize(
    ("text", "kind", "dtype", "shape"),
    [
        ("tensor<4x?xf32>", "tensor", "f32", (4, None)),
        ("tensor<bf16>", "tensor", "bf16", ()),
        ("tensor<0x4xi1>", "tensor", "i1", (0, 4)),
        ("tensor<4xf32, #some.encoding<a, b>>", "tensor", "f32", (4,)),
        ("index", "scalar", "index", ()),
        ("!hal.buffer_view", "other", "", ()),
        ("memref<4xf32>", "other", "", ()),
    ],
)
def test_reads_types(text: str, kind: str, dtype: str, shape: tuple[int | None, ...]) -> None:
    found = parse_type(text)
    assert (found.kind, found.dtype, found.shape) == (kind, dtype, shape)


DTYPES = st.sampled_from(["f32", "i1", "ui8", "bf16", "complex<f64>", "f8E5M2FNUZ"])
SHAPES = st.lists(st.one_of(st.just("?"), st.integers(0, 10**6).map(str)), max_size=5)
TYPES = st.one_of(
    st.builds(lambda s, d: f"tensor<{''.join(f'{one}x' for one in s)}{d}>", SHAPES, DTYPES),
    DTYPES,
    st.just("!vm.list<?>"),
)


@given(st.lists(TYPES, max_size=4), st.lists(TYPES, max_size=4))
def test_keeps_every_type_in_order(arguments: list[str], results: list[str]) -> None:
    left = ", ".join(f"%input{i}: {one}" for i, one in enumerate(arguments))
    right = ", ".join(f"%output{i}: {one}" for i, one in enumerate(results))
    signature = parse_declaration(f"sync func @f({left}) -> ({right})")
    assert signature is not None
    assert [one.text for one in signature.arguments] == arguments
    assert [one.text for one in signature.results] == results


@given(st.text(max_size=200))
def test_never_raises(text: str) -> None:
    parse_declaration("sync func @f(" + text)
    parse_type(text)
