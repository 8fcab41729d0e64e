from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from iree_layers.compile.target import Target
from iree_layers.errors import RunError
from iree_layers.execute import contents

Compile = Callable[..., Path]


def test_files_functions_and_needs(many: Path) -> None:
    found = contents(many)
    assert (found.name, found.bytecode, found.size) == ("many", "17.0", many.stat().st_size)
    assert ("hal", 7) in found.dependencies
    assert "hal.fence.await" in found.imports
    names = [one.name for one in found.functions]
    assert names[:3] == ["mlp", "double", "two"]
    assert "__init" in [one.name for one in found.exports]
    assert "__init" not in names
    assert "hidden" not in names
    mlp = found.exports[0]
    assert str(mlp.signature) == "mlp(4x8xf32, 8x16xf32) -> 4x16xf32"
    assert mlp.convention == "0rr_r"


def test_members_are_stored_as_they_are(add: Path) -> None:
    data = add.read_bytes()
    with zipfile.ZipFile(add) as archive:
        for one in contents(data).members:
            assert data[one.offset : one.offset + one.size] == archive.read(one.name)


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        (Target.HOST, "machine code (ELF"),
        (Target.vmvx(), "VM bytecode module"),
        (Target.cuda(), "PTX for CUDA"),
        (Target.vulkan(), "SPIR-V for Vulkan"),
        (Target.hip(), "code object for HIP"),
        (Target.metal(), "Metal"),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_kinds_of_code(compiled: Compile, target: Target, kind: str) -> None:
    program, code = contents(compiled("add", *target.flags)).members
    assert program.kind == "VM bytecode module"
    assert kind in code.kind


def test_text(compiled: Compile, many: Path) -> None:
    text = str(contents(compiled("add", *Target.vmvx().flags)))
    assert "module module, " in text
    assert "bytecode 17.0, needs hal ≥ 7" in text
    assert text.endswith("functions:\n  add(4xf32) -> 4xf32")
    assert len(repr(contents(many)).splitlines()) <= 40
    assert "… 3 more" in str(contents(many))


def test_a_module_of_another_version_can_be_looked_into(old: Path) -> None:
    found = contents(old)
    assert (found.bytecode, found.dependencies) == ("15.0", (("hal", 6),))


def test_what_a_module_needs_from_others(compiled: Compile) -> None:
    found = contents(compiled("needy"))
    assert (found.imports, found.dependencies) == (("pymath.triple",), (("pymath", 0),))
    assert [one.kind for one in found.members] == ["VM bytecode module"]


def test_a_bare_flatbuffer(compiled: Compile) -> None:
    bare = compiled("add", *Target.vmvx().flags, "--iree-vm-emit-polyglot-zip=false")
    (only,) = contents(bare).members
    assert (only.size, only.kind) == (bare.stat().st_size, "VM bytecode module")


def test_refuses_what_is_no_module(add: Path) -> None:
    with pytest.raises(RunError, match="MLIR"):
        contents("module {\n}\n")
    with pytest.raises(RunError, match="iree-dump-module"):
        contents(b"\x40\0\0\0\x08\0\0\0IREE" + bytes(100))
