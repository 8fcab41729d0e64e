from __future__ import annotations

import sys
import types
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iree_layers.compile.target import Target
from iree_layers.errors import RunError
from iree_layers.execute.module import open_module, verify

SAME_FILES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def refusal(source: object) -> str:
    with pytest.raises(RunError) as caught:
        open_module(source)
    assert caught.value.expected
    assert caught.value.todo
    return str(caught.value)


def test_bytes_and_paths_are_the_same_module(add: Path) -> None:
    by_path, by_text, by_bytes = (
        open_module(add),
        open_module(str(add)),
        open_module(add.read_bytes()),
    )
    assert by_path.digest == by_text.digest == by_bytes.digest
    assert by_path.origin == "add.vmfb"
    assert by_bytes.origin == f"the module of {add.stat().st_size} bytes"
    assert open_module(by_path) is by_path
    assert open_module(types.SimpleNamespace(vmfb=add)).digest == by_path.digest
    verify(by_path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"func.func @f() { return }", "MLIR, the compiler's input"),
        ("module {\n}\n", "MLIR, the compiler's input"),
        (
            b"func.func @f() { %c = arith.constant dense_resource<__elided__> : tensor<9xf32> }",
            "elided",
        ),
        (b"ML\xefR\x06", "MLIR bytecode"),
        (b"// -----// IR Dump After CSEPass: cse //----- //\nmodule {\n}\n", "dump of many passes"),
        (b"hello", "text without any MLIR op"),
        (bytes(range(256)) * 20, "neither text nor MLIR"),
        (b"PK\x03\x04" + bytes(200), "zip file without module.fb"),
        (b"PK\x03\x04", "zip file without module.fb"),
        (b"\xff\xff\xff\x7f\x08\0\0\0IREE" + bytes(50), "cut short"),
    ],
)
def test_refuses_other_content(data: bytes | str, words: str) -> None:
    assert words in refusal(data)


def test_refuses_an_executable() -> None:
    text = refusal(Path(sys.executable))
    assert "no compiled module" in text


def test_refuses_a_foreign_zip(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hello.txt", "hello")
    assert "a.zip is a zip file without module.fb" in refusal(path)


def test_names_the_modules_that_are_there(add: Path) -> None:
    assert "that folder has add.vmfb" in refusal(add.with_name("ad.vmfb"))
    assert "is a folder" in refusal(add.parent)
    assert "there is no file" in refusal(str(add / "x"))


@pytest.mark.parametrize("source", [3, None, [1], object()])
def test_refuses_other_values(source: object) -> None:
    assert "is no compiled module" in refusal(source)


def test_a_failed_trace_has_no_module() -> None:
    assert "has no compiled module" in refusal(types.SimpleNamespace(vmfb=None))


@SAME_FILES
@given(share=st.floats(0, 1, exclude_max=True))
def test_every_beginning_of_a_module_is_refused(add: Path, share: float) -> None:
    data = add.read_bytes()
    refusal(data[: int(len(data) * share)])


@SAME_FILES
@given(place=st.integers(0, 10**9), mask=st.integers(1, 255))
def test_every_flipped_byte_of_a_member_is_found(add: Path, place: int, mask: int) -> None:
    data = bytearray(add.read_bytes())
    with zipfile.ZipFile(add) as archive:
        code = next(one for one in archive.infolist() if one.filename != "module.fb")
    start = code.header_offset + 30 + len(code.filename)
    start += int.from_bytes(data[code.header_offset + 28 : code.header_offset + 30], "little")
    data[start + place % code.file_size] ^= mask
    with pytest.raises(RunError, match="does not match its checksum"):
        verify(open_module(bytes(data)))


def test_a_changed_member_with_its_checksum_passes(
    add: Path, with_member: Callable[..., bytes]
) -> None:
    name = next(one for one in zipfile.ZipFile(add).namelist() if one != "module.fb")
    data = with_member(add.read_bytes(), name, lambda old: bytes(len(old)))
    verify(open_module(data))


def test_a_module_without_the_zip(compiled: Callable[..., Path]) -> None:
    bare = compiled("add", *Target.vmvx().flags, "--iree-vm-emit-polyglot-zip=false")
    assert not zipfile.is_zipfile(bare)
    verify(open_module(bare))
