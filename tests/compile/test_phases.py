from __future__ import annotations

import re
from pathlib import Path

import pytest

from iree_layers.compile.phases import (
    PHASES,
    is_cut,
    phase_before,
    phase_files,
    phase_of,
)
from iree_layers.compile.toolchain import run_tool
from iree_layers.errors import ProgramError


def test_the_phases_are_those_of_the_compiler() -> None:
    said = run_tool("iree-compile", "--help").stdout
    listed = re.search(r"--compile-to=<value>.*\n((?:    =.*\n)+)", said)
    assert listed
    names = re.findall(r"^    =([\w-]+)", listed[1], re.MULTILINE)
    assert tuple(names) == ("start", *PHASES, "end")


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("mlp.6.flow.mlir", "flow"),
        ("a.b.12.vm.mlir", "vm"),
        ("mlp.5.dispatch-creation.mlirbc", "dispatch-creation"),
        ("mlp.mlir", None),
        ("mlp.6.flows.mlir", None),
        ("flow.mlir", None),
    ],
)
def test_a_file_name_says_its_phase(name: str, phase: str | None) -> None:
    assert phase_of(Path(name)) == phase


def test_files_come_in_the_order_of_the_compiler(tmp_path: Path) -> None:
    for name in ("m.10.executable-targets.mlir", "m.2.abi.mlir", "notes.mlir"):
        (tmp_path / name).touch()
    assert list(phase_files(tmp_path)) == ["abi", "executable-targets"]
    assert phase_files(tmp_path / "nowhere") == {}


def test_the_phase_before() -> None:
    assert phase_before("input") is None
    assert phase_before("hal") == "executable-targets"
    with pytest.raises(ProgramError, match="that can be run alone"):
        phase_before("const-eval")


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (b"dense<1.0>", False),
        (b"dense_resource<__elided__>", True),
        (b"dense_resource<a>", True),
        (b'dense_resource<a>\n{-#\n dialect_resources: { builtin: { a: "0x00" } }\n#-}', False),
        (b'dense_resource<a> dense_resource<b>\n{-# a: "0x00" #-}', True),
    ],
)
def test_constants_that_are_missing_are_noticed(text: bytes, cut: bool) -> None:
    assert is_cut(text) is cut
