"""The compiler's own account of a program, as a value."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from iree_layers.compile import Command, Program, Target, statistics, tool
from iree_layers.compile.statistics import parse_statistics
from iree_layers.errors import CompileError, ProgramError

T = "tensor<64x64xf32>"
DIAMOND = f"""\
func.func @diamond(%a: {T}, %b: {T}, %c: {T}) -> {T} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {T}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {T}) -> {T}
  %left = linalg.matmul ins(%a, %b : {T}, {T}) outs(%init : {T}) -> {T}
  %right = linalg.matmul ins(%a, %c : {T}, {T}) outs(%init : {T}) -> {T}
  %join = linalg.matmul ins(%left, %right : {T}, {T}) outs(%init : {T}) -> {T}
  return %join : {T}
}}
"""
KEPT = """\
util.global private mutable @state = dense<1.0> : tensor<16xf32>
func.func @move(%x: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<7xf32>) {
  %state = util.global.load @state : tensor<16xf32>
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%three : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = tensor.insert_slice %x into %f[2, 0][4, 8][1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %u = tensor.extract_slice %state[3][7][1] : tensor<16xf32> to tensor<7xf32>
  return %y, %u : tensor<8x8xf32>, tensor<7xf32>
}
"""
COMMAND = Command(("iree-compile", "a.mlir"))


def test_three_dispatches_of_one_executable_in_one_submission() -> None:
    found = statistics(Program("diamond", DIAMOND.encode(), "mlir"))
    assert (found.submissions, found.dispatches, found.executables) == (1, 3, 1)
    assert (found.copies, found.fills, found.awaits, found.async_calls) == (0, 0, 1, 0)
    assert found.transient_bytes == 3 * 16384  # two products and the result
    assert (found.constants, found.constant_bytes, found.variables) == (0, 0, 0)
    assert dict(found.other) == {}


def test_numbers_do_not_depend_on_the_cpu() -> None:
    given = Program("diamond", DIAMOND.encode(), "mlir")
    assert statistics(given) == statistics(given, Target.HOST)


def test_copies_fills_and_what_the_module_keeps() -> None:
    found = statistics(KEPT)
    assert (found.dispatches, found.copies) == (0, 2)
    # One fill makes the constant when the module is loaded, one is the program's.
    assert found.fills == 2
    assert found.constants == 1


def test_a_trace_is_asked_for_its_program_and_its_target() -> None:
    class Traced:
        program = Program("diamond", DIAMOND.encode(), "mlir")
        target = Target.vmvx()

    found = statistics(Traced())
    assert "--iree-hal-local-target-device-backends=vmvx" in found.command.argv
    assert found.dispatches == 3
    other = statistics(Traced(), Target.TEXT)
    assert "--iree-llvmcpu-target-cpu=x86-64-v3" in other.command.argv


def test_the_command_writes_the_file_when_it_is_pasted(tmp_path: Path) -> None:
    found = statistics(Program("diamond", DIAMOND.encode(), "mlir"))
    (tmp_path / "diamond.mlir").write_text(DIAMOND)
    path = os.pathsep.join([str(tool("iree-compile").parent), os.environ["PATH"]])
    subprocess.run(
        ["sh", "-c", str(found.command)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        check=True,
        capture_output=True,
    )
    said = (tmp_path / "statistics.json").read_text()
    assert parse_statistics(said, found.command) == found


def test_new_numbers_are_kept_and_missing_ones_are_none() -> None:
    said = {"stream-aggregate": {"execution": {"dispatch-count": 2, "warp-count": 7}, "new": {}}}
    found = parse_statistics(json.dumps(said), COMMAND)
    assert found.dispatches == 2
    assert found.submissions is None
    assert found.other == {"execution.warp-count": 7}


@pytest.mark.parametrize("text", ["", "// text", "[]", "{}", '{"stream-aggregate": 3}'])
def test_what_is_no_statistics_is_an_error_in_words(text: str) -> None:
    with pytest.raises(CompileError, match="statistics cannot be read") as raised:
        parse_statistics(text, COMMAND)
    assert raised.value.command == "iree-compile a.mlir"


def test_no_program_and_a_bad_program() -> None:
    with pytest.raises(ProgramError, match="3 is no program"):
        statistics(3)
    with pytest.raises(CompileError, match="dispatch_does_not_exist"):
        statistics("func.func @f() {\n  call @dispatch_does_not_exist() : () -> ()\n  return\n}\n")
