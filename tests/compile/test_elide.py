from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.compile.elide import elide, printed, without_locations
from iree_layers.compile.toolchain import run_tool
from iree_layers.errors import CompileError


def test_elide_says_how_much_it_hid() -> None:
    payload = "0x" + "3F" * 500
    shown = elide(f'%0 = arith.constant dense<"{payload}"> : tensor<250xf32>\n')
    assert shown == (
        f'%0 = arith.constant dense<"{payload[:32]}… {len(payload) - 32} characters hidden">'
        " : tensor<250xf32>\n"
    )
    listed = "dense<[" + ", ".join(["1.000000e+00"] * 40) + "]>"
    assert "characters hidden>" in elide(listed)
    assert len(elide(listed)) < 80


def test_elide_leaves_short_constants_and_strings_alone() -> None:
    text = (
        'dense<"0x0000803F"> dense<[1, 2]> {name = "a very long string that is no payload at all"}'
    )
    assert elide(text) == text


def test_elide_resources() -> None:
    text = (
        '{-#\n  dialect_resources: {\n    builtin: {\n      w: "0x04'
        + "00" * 99
        + '"\n    }\n  }\n#-}'
    )
    assert "hidden" in elide(text)
    assert elide(text).startswith("{-#")
    assert elide(text).endswith("#-}")


@given(st.text(max_size=300))
def test_text_without_constants_is_left_alone(text: str) -> None:
    assert elide(text.replace("0x", "").replace("dense", "")) == text.replace("0x", "").replace(
        "dense", ""
    )


def test_locations_are_hidden_and_counted() -> None:
    text = (
        '#loc1 = loc("a b.py":3:0)\nmodule {\n  func.func @f(%x: f32 loc("x"(#loc1))) -> f32 {\n'
        "    return %x : f32 loc(callsite(#loc1 at fused[#loc2, unknown]))\n  } loc(#loc)\n"
        "} loc(#loc)\n#loc = loc(unknown)\n#loc2 = loc(callsite(#loc1 at #loc))\n"
    )
    assert without_locations(text) == (
        "module {\n  func.func @f(%x: f32) -> f32 {\n    return %x : f32\n  }\n}\n"
        "// 4 source locations hidden\n"
    )
    assert without_locations("module {\n}\n") == "module {\n}\n"


def test_bytecode_is_printed_and_cut(tmp_path: Path) -> None:
    values = ", ".join(str(n) for n in range(100))
    (tmp_path / "a.mlir").write_text(
        "func.func @f() -> tensor<100xi32> {\n"
        f"  %0 = arith.constant dense<[{values}]> : tensor<100xi32>\n"
        "  return %0 : tensor<100xi32>\n}\n"
    )
    run_tool("iree-opt", "a.mlir", "--emit-bytecode", "-o", "b.mlirbc", cwd=tmp_path)
    text = printed((tmp_path / "b.mlirbc").read_bytes())
    assert "func.func @f() -> tensor<100xi32>" in text
    assert "98, 99" not in text


def test_damaged_bytecode_is_a_compile_error() -> None:
    with pytest.raises(CompileError, match="iree-opt"):
        printed(b"ML\xefR\x06junk")
