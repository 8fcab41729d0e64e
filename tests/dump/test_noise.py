"""What is not IR is found at its place; IR is never called noise."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from iree_layers.dump.dump import Dump, open_dump
from iree_layers.dump.index import index
from iree_layers.dump.noise import find_noise
from iree_layers.dump.source import MemorySource

from .streams import CRASH, REMARK, TIMING, WARNING, bodies

IR = b"util.func public @f() {\n  %0 = arith.addf %a, %b : f32\n  util.return\n}\n\n"
HALF = IR.index(b"  util.return")
LLVM = b"; *** IR Dump After FooPass on f ***\ndefine void @f() {\n  ret void\n}\n"
MACHINE = b"# *** IR Dump After Finalize ISel (finalize-isel) ***:\nbb.0:\n  RET 0\n\n"


def kinds(body: bytes) -> list[str]:
    return [kind for _, _, kind in find_noise(memoryview(body))]


def texts(body: bytes) -> list[bytes]:
    return [body[start:end] for start, end, _ in find_noise(memoryview(body))]


@pytest.mark.parametrize(
    ("noise", "kind"),
    [
        (WARNING, "warning"),
        (REMARK, "remark"),
        (TIMING, "timing"),
        (CRASH, "crash"),
        (LLVM, "llvm"),
        (MACHINE, "llvm"),
        (b"error: cannot open t.mlir\n", "error"),
        (b"iree-compile: error: bad flag\n", "error"),
        (b'loc("x"): error: failed to legalize operation\n', "error"),
        (b'loc(callsite("a"("t.mlir":1:2) at "b")): note: called from\n', "note"),
        (b'-:3:4: note: see current operation: \n"f.g"() ({\n}) : () -> ()\n\n', "note"),
        (b"/a b/t.mlir:1:1: remark: x\n", "remark"),
        (b"C:\\a\\t.mlir:1:1: warning: x\n", "warning"),
        (b"\x1b[1mt.mlir:1:1: \x1b[0m\x1b[0;1;35mwarning: \x1b[0mx\n", "warning"),
        (b"LLVM ERROR: out of memory\n", "crash"),
        (b"iree-compile: /src/A.cpp:1: void f(): Assertion `x' failed.\n", "crash"),
        (b"Linking failed; escaped command line returned exit code 256:\n\nld x.o\n", "other"),
    ],
)
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_noise_after_a_body(noise: bytes, kind: str, end: bytes) -> None:
    body = IR + end + noise
    assert texts(body) == [noise]
    assert kinds(body) == [kind]


@pytest.mark.parametrize(
    ("noise", "kind"),
    [(WARNING, "warning"), (REMARK, "remark"), (b"error: x\n", "error")],
)
def test_a_message_inside_a_body(noise: bytes, kind: str) -> None:
    body = IR[:HALF] + noise + IR[HALF:]
    assert texts(body) == [noise]
    assert kinds(body) == [kind]


def test_a_message_before_a_body() -> None:
    assert texts(WARNING + IR) == [WARNING]


def test_several_in_a_row_are_told_apart() -> None:
    body = IR + WARNING + REMARK + b"t.mlir:1:1: note: called from\nmodule {\n^\n" + TIMING
    assert kinds(body) == ["warning", "remark", "note", "timing"]
    assert b"".join(texts(body)) == body.removeprefix(IR)


def test_message_without_a_caret_takes_one_line_inside_a_body() -> None:
    body = IR[:HALF] + REMARK + IR[HALF:] + WARNING
    assert texts(body) == [REMARK, WARNING]


def test_ir_after_a_message_is_ir_again() -> None:
    """`iree-opt … 2>&1` prints its result after the last message."""
    result = b"module {\n  util.func @f() {\n    util.return\n  }\n}\n"
    assert texts(IR + WARNING + result) == [WARNING]


def test_source_line_of_a_message_is_not_taken_for_ir() -> None:
    message = b"t.mlir:1:1: error: bad\nmodule {\n^\n"
    assert texts(IR + message) == [message]


def test_llvm_dumps_of_several_functions_are_one_place() -> None:
    assert texts(IR + LLVM * 3) == [LLVM * 3]


def test_crash_inside_a_line() -> None:
    assert texts(IR[: HALF + 5] + CRASH) == [CRASH]


@pytest.mark.parametrize(
    "body",
    [
        b'module {\n  util.global @s = "t.mlir:1:1: error: x"\n}\n\n\n',
        b'module attributes {a = "t.mlir:1:1: warning: x"} {\n}\n\n\n',
        b'module {\n  util.global @s = "Stack dump:"\n}\n\n\n',
        b'module {\n  util.global @s = "PLEASE submit a bug report"\n',
        b"util.global private @x : i32\n\n",
        b"%0 = arith.constant 1 : i32\n\n",
        b'"func.func"() ({\n^bb0:\n  "func.return"() : () -> ()\n}) : () -> ()\n\n',
        b"func @old() {\n  return\n}\n\n",
        b'module {\n} loc(#loc)\n#loc = loc(unknown)\n#loc1 = loc("t.mlir":1:1)\n\n\n',
        b"module {\n}\n\n{-#\n  dialect_resources: {\n    builtin: {\n    }\n  }\n#-}\n\n\n",
        b"llvm.func @f() {\n^bb1:\n  llvm.return\n}\n\n",
        b'vm.func @f() {\n  vm.cond_fail %c18, "HAL <"local", [{"\n}\n\n',
        b"module {\n  util.retu",
        b"",
        b"\n\n",
        b"\x00" * 40 + b"\n\n",
        b"error",
    ],
)
def test_ir_is_never_noise(body: bytes) -> None:
    assert find_noise(memoryview(body)) == ()


@given(bodies)
@settings(deadline=None)
def test_generated_ir_is_never_noise(body: bytes) -> None:
    assert find_noise(memoryview(body)) == ()


@given(bodies)
@settings(deadline=None)
def test_noise_in_any_body_is_taken_out_exactly(body: bytes) -> None:
    noise = WARNING + REMARK
    found = find_noise(memoryview(body + noise))
    assert b"".join((body + noise)[start:end] for start, end, _ in found) == noise


def sample(samples: Path, name: str) -> Dump:
    return open_dump(samples / "dumps" / name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("warning.txt", ["warning", "note"]),
        ("twin-crlf.txt", ["warning", "note"]),
        ("twin-ansi.txt", ["warning", "note"]),
        ("twin-warning-inside.txt", ["warning", "note"]),
        ("failed.txt", ["error", "note"]),
        ("old-failed.txt", ["error", "note"]),
        ("crash.txt", ["crash"]),
        ("twin-crash-inside.txt", ["crash"]),
        ("timing.txt", ["timing"]),
        ("llvm.txt", ["llvm"]),
        ("llvm-machine.txt", ["llvm"]),
        ("twin-preamble.txt", ["preamble"]),
        ("locations.txt", []),
        ("resources.txt", []),
        ("vm-quotes.txt", []),
        ("op-scope.txt", []),
        ("twin-nul.txt", []),
        ("twin-utf8.txt", []),
        ("twin-truncated.txt", []),
    ],
)
def test_samples(samples: Path, name: str, expected: list[str]) -> None:
    assert [each.kind for each in sample(samples, name).noise] == expected


def test_the_warning_is_complete(samples: Path) -> None:
    dump = sample(samples, "warning.txt")
    warning, note = dump.noise
    assert dump.noise_text(warning).startswith("add.mlir:2:8: warning: while creating CPU target")
    assert dump.noise_text(warning).endswith("tensor<4xf32>\n       ^\n")
    assert dump.noise_text(note).endswith("{\n^\n")
    assert warning.after == 0
    assert dump.text(0).endswith("}\n\n")


def test_moving_the_warning_does_not_change_the_ir(samples: Path) -> None:
    apart, inside = (sample(samples, name) for name in ("warning.txt", "twin-warning-inside.txt"))
    assert [apart.text(each) for each in apart] == [inside.text(each) for each in inside]
    assert [each.content for each in apart] == [each.content for each in inside]


def test_noise_is_the_same_whatever_was_seen_before() -> None:
    """A body that repeats is not looked at again, and still has its own noise."""
    header = b"// -----// IR Dump After CSEPass: cse //----- //\n"
    dump = index(MemorySource((header + IR + WARNING) * 3))
    assert [each.after for each in dump.noise] == [0, 1, 2]
    assert dump.distinct == 1
