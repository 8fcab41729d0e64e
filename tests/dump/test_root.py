"""Op and symbol of the first line of IR."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.dump.root import root_of


@pytest.mark.parametrize(
    ("text", "op", "symbol"),
    [
        ("module {\n", "module", None),
        ("module @m {\n", "module", "m"),
        ("builtin.module @m attributes {a = @x} {\n", "builtin.module", "m"),
        ("module attributes {stream.affinity = #hal.affinity<@__device_0>} {\n", "module", None),
        ("util.func public @mlp(%arg0: i32) -> i32 {\n", "util.func", "mlp"),
        ("util.initializer {\n  util.global.store %0, @x : i32\n", "util.initializer", None),
        ("util.global private mutable @x : i32\n", "util.global", "x"),
        ("func.func @main$async_dispatch_0() {\n", "func.func", "main$async_dispatch_0"),
        ("func @old() {\n", "func", "old"),
        ("llvm.func local_unnamed_addr @f() {\n", "llvm.func", "f"),
        ('memref.global "private" constant @c : memref<1xf32>\n', "memref.global", "c"),
        ("hal.executable private @e {\n", "hal.executable", "e"),
        (
            'hal.executable.variant public @elf target(<"llvm-cpu", "x">) {\n',
            "hal.executable.variant",
            "elf",
        ),
        ("spirv.module @s Logical GLSL450 requires #spirv.vce<v1.3>\n", "spirv.module", "s"),
        ('func.func @"a \\"b\\" \\0A\\5C c::d"() {\n', "func.func", 'a "b" \n\\ c::d'),
        ('"func.func"() <{sym_name = "f", a = @g}> ({\n', "func.func", "f"),
        ('"arith.constant"() <{value = 1 : i32}> : () -> i32\n', "arith.constant", None),
        ("%0:2 = flow.dispatch @x::@y(%1) : (i32) -> (i32, i32)\n", "flow.dispatch", "x"),
        ("%0, %1 = scf.while (%a = %b) : (i32) -> i32 {\n", "scf.while", None),
        ("#map = affine_map<(d0) -> (d0)>\n!t = i32\n// x\n\nmodule {\n", "module", None),
        (
            "#composite_of_64b = #util.composite<64xi8, [\n"
            "    dense<1.0> : tensor<8xf32>,\n"
            "    dense_resource<layers.3.norm2.bias> : tensor<8xf32>,\n"
            "]>\n#map = affine_map<(d0) -> (d0)>\nutil.func public @f() {\n",
            "util.func",
            "f",
        ),
        ("#map = affine_map<" + "x" * 9000 + ">\nmodule @m {\n", "module", "m"),
        ("module @m {", "module", "m"),
        ("\r\nmodule @m {\r\n", "module", "m"),
        ("", None, None),
        ("\n\n", None, None),
        ("#map = affine_map<" + "x" * 9000, None, None),
        ("}\n", None, None),
        ("\x00\x00\n", None, None),
    ],
)
def test_first_lines(text: str, op: str | None, symbol: str | None) -> None:
    data = text.encode()
    assert root_of(data, 0, len(data)) == (op, symbol)
    padded = b"??" + data + b"module @other {\n"
    assert root_of(padded, 2, 2 + len(data)) == (op, symbol), "only its own bytes count"


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    root_of(data, 0, len(data))
