from __future__ import annotations

from pathlib import Path

import pytest

from iree_layers.compile.capture import Capture
from iree_layers.compile.diagnostics import read_said

NEW = b"// -----// IR Dump After CSEPass: cse{a=1} //----- //\n"
OLD = b"// -----// IR Dump After Canonicalizer (canonicalize) //----- //\n"
SPACE = (
    b"// -----// IR Dump After mlir::iree_compiler::IREE::HAL::(anonymous namespace)::Propagate"
    b"ExecutableTargetPass: iree-vulkan-spirv-propagate ('hal.executable' operation: @x)"
    b" //----- //\n"
)
FAILED = b"// -----// IR Dump After LowerPass Failed: lower //----- //\n"
BODY = b'module {\n  util.call @f() {note = "a: error: b"}\n}\n\n'
WARNING = b"m.mlir:1:2: warning: generic CPU\n  source line\n  ^\n"
ERROR = b"m.mlir:3:4: error: no such thing\n  %0 = source\n       ^\n"
NOTE = b"m.mlir:3:4: note: see current operation: %0\n"
CRASH = b"Please report issues to https://example.org\nStack dump:\n 0. Program\n"


def said(tmp_path: Path, *parts: bytes):
    path = tmp_path / "dump"
    path.write_bytes(b"".join(parts))
    return read_said(path)


@pytest.mark.parametrize(
    ("header", "name"),
    [(NEW, "cse"), (OLD, "canonicalize"), (SPACE, "iree-vulkan-spirv-propagate")],
)
def test_the_last_pass_is_read_from_any_header(tmp_path: Path, header: bytes, name: str) -> None:
    found = said(tmp_path, NEW, BODY, header, BODY)
    assert (found.any_snapshot, found.last_pass, found.failed_pass) == (True, name, "")
    assert (found.diagnostics, found.crash) == ("", "")


def test_diagnostics_are_found_among_the_ir_in_their_order(tmp_path: Path) -> None:
    found = said(tmp_path, WARNING, NEW, BODY, ERROR, NOTE, FAILED, BODY)
    assert found.failed_pass == "lower"
    assert found.diagnostics == (WARNING + ERROR + NOTE).decode().rstrip()
    assert found.errors == (ERROR + NOTE).decode().rstrip()


def test_the_innermost_failed_pass_is_the_culprit(tmp_path: Path) -> None:
    outer = b"// -----// IR Dump After OuterPass Failed: outer //----- //\n"
    assert said(tmp_path, NEW, BODY, FAILED, BODY, outer, BODY).failed_pass == "lower"


def test_a_header_inside_a_line_is_no_header(tmp_path: Path) -> None:
    assert not said(tmp_path, b'"weird ', NEW).any_snapshot
    assert said(tmp_path, NEW, b'@"x ', FAILED).failed_pass == ""


def test_last_words_stand_after_the_last_snapshot(tmp_path: Path) -> None:
    found = said(tmp_path, NEW, BODY, CRASH)
    assert found.crash == CRASH.decode()
    assert found.text == CRASH.decode()


def test_no_ir_at_all(tmp_path: Path) -> None:
    found = said(tmp_path, ERROR)
    assert (found.any_snapshot, found.diagnostics) == (False, ERROR.decode().rstrip())
    assert said(tmp_path).text == ""


def test_long_lines_are_shortened(tmp_path: Path) -> None:
    found = said(tmp_path, b"m.mlir:3:4: error: ", b"x" * 100_000, b"\n", NEW, BODY)
    assert len(found.diagnostics) < 400


def test_a_real_dump_has_nothing_but_ir(mlp_capture: Capture) -> None:
    found = read_said(mlp_capture.dump)
    assert (found.text, found.last_pass) == ("", "iree-util-dump-module")
