from __future__ import annotations

from pathlib import Path

import pytest

from iree_layers.compile.smoke import _PROGRAM
from iree_layers.compile.target import _CUDA_FAMILIES, _VULKAN_FAMILIES, Target
from iree_layers.compile.toolchain import run_tool
from iree_layers.errors import TargetError

ALL = [
    Target.TEXT,
    Target.HOST,
    Target.cpu(),
    Target.cpu("znver4"),
    Target.cpu("cortex-a76", triple="aarch64-unknown-unknown-eabi-elf"),
    Target.vulkan(),
    Target.vulkan("rx7900xtx"),
    Target.vmvx(),
    Target.cuda(),
    Target.cuda("sm_89"),
    Target.hip(),
    Target.hip("gfx1100"),
    Target.metal(),
]


def compile_for(target: Target, folder: Path, *flags: str) -> Path:
    (folder / "p.mlir").write_text(_PROGRAM)
    argv = ("p.mlir", "-o", "p.out", *target.flags, *flags)
    ran = run_tool("iree-compile", *argv, cwd=folder)
    assert ran.stderr == ""
    return folder / "p.out"


@pytest.mark.parametrize("target", ALL, ids=lambda t: t.name)
def test_compiler_takes_every_flag_in_silence(target: Target, tmp_path: Path) -> None:
    assert compile_for(target, tmp_path).stat().st_size > 1000


@pytest.mark.parametrize(
    ("kind", "name"),
    [("vulkan", n) for n in _VULKAN_FAMILIES] + [("cuda", n) for n in _CUDA_FAMILIES],
)
def test_compiler_knows_every_family(kind: str, name: str, tmp_path: Path) -> None:
    compile_for(Target.named(f"{kind}:{name}"), tmp_path, "--compile-to=preprocessing")


@pytest.mark.parametrize("name", ["lavapipe", "hopper"])
def test_compiler_knows_none_of_the_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(_PROGRAM)
    kind = "cuda" if name == "hopper" else "vulkan"
    flags = (f"--iree-hal-target-device={kind}", f"--iree-{kind}-target={name}")
    ran = run_tool("iree-compile", "p.mlir", "-o", "x", *flags, cwd=tmp_path, check=False)
    assert ran.exit != 0
    assert f"target '{name}'" in ran.stderr
    with pytest.raises(TargetError, match=f"no {kind} target '{name}'"):
        Target.named(f"{kind}:{name}")


def test_text_is_the_same_ir_and_host_asks_for_this_machine(tmp_path: Path) -> None:
    to = "--compile-to=executable-sources"
    text = compile_for(Target.TEXT, tmp_path, to).read_text()
    assert 'cpu = "x86-64-v3"' in text
    assert 'target_triple = "x86_64-unknown-unknown-eabi-elf"' in text
    assert "--iree-llvmcpu-target-cpu=host" in Target.HOST.flags
    assert (Target.TEXT.purpose, Target.HOST.purpose) == ("print", "execute")


def test_later_flags_win(tmp_path: Path) -> None:
    other = Target.TEXT.with_flags("--iree-llvmcpu-target-cpu=znver4")
    text = compile_for(other, tmp_path, "--compile-to=executable-sources").read_text()
    assert 'cpu = "znver4"' in text
    assert "x86-64-v3" not in text
    assert Target.TEXT.flags == other.flags[:-1]


@pytest.mark.parametrize("target", ALL, ids=lambda t: t.name)
def test_name_leads_back(target: Target) -> None:
    if "aarch64" not in str(target):
        assert Target.named(target.name) == target


@pytest.mark.parametrize(
    ("spelling", "target"),
    [
        ("HOST", Target.HOST),
        ("llvm-cpu", Target.HOST),
        ("vulkan-spirv", Target.vulkan()),
        ("vulkan:", Target.vulkan()),
        ("rocm:gfx1100", Target.hip("gfx1100")),
        ("metal-spirv", Target.metal()),
    ],
)
def test_spellings_of_iree(spelling: str, target: Target) -> None:
    assert Target.named(spelling) == target


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("vulcan", "'vulkan'"),
        ("hosts", "'host'"),
        ("text:x", "'text'"),
        ("vulkan:lavapipe", "'llvmpipe'"),
        ("cuda:hopper", ""),
        ("", "pick one of the list"),
        ("vulkan:rx 7900", ""),
    ],
)
def test_wrong_name_gets_the_nearest_and_the_list(name: str, near: str) -> None:
    with pytest.raises(TargetError) as caught:
        Target.named(name)
    assert near in caught.value.todo
    assert "one of " in caught.value.expected


def test_repr_is_the_flags() -> None:
    assert repr(Target.vmvx()).startswith("Target(vmvx: --iree-hal-target-device=local ")
