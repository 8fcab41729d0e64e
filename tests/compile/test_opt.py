"""One run of iree-opt, and what its messages mean."""

from __future__ import annotations

import pytest

from iree_layers.compile.opt import explained, known_passes, run_opt
from iree_layers.errors import CompileError

TEXT = "func.func @f(%x: f32) -> f32 {\n  %0 = arith.addf %x, %x : f32\n  return %0 : f32\n}\n"


def test_without_a_pipeline_it_parses_and_prints() -> None:
    ran = run_opt(TEXT)
    assert ran.text.startswith("module {\n  func.func @f(%arg0: f32) -> f32 {")
    assert ran.printed == ""
    assert str(ran.command) == "iree-opt program.mlir"


def test_the_ir_after_each_pass_is_printed() -> None:
    ran = run_opt(TEXT, "builtin.module(cse,canonicalize)")
    assert ran.printed.count("// -----// IR Dump After ") == 2
    assert run_opt(TEXT, "builtin.module(cse)", prints="change").printed == ""
    assert "Before" in run_opt(TEXT, "builtin.module(cse)", before=True).printed


def test_flags_are_passed_on() -> None:
    assert '"func.func"()' in run_opt(TEXT, flags=["--mlir-print-op-generic"]).text


def test_the_ir_of_a_failure_is_not_in_the_message() -> None:
    with pytest.raises(CompileError) as caught:
        run_opt(TEXT, "builtin.module(cse,func.func(symbol-dce))")
    assert "IR Dump" not in caught.value.found
    assert "IR Dump After CSEPass" in caught.value.stderr


def test_passes_are_those_of_the_tool() -> None:
    assert {"canonicalize", "cse", "one-shot-bufferize"} <= set(known_passes())
    assert len(known_passes()) > 500


def test_a_signal_is_named() -> None:
    assert "killed by signal 11" in explained("", "builtin.module(cse)", exit=-11).found
