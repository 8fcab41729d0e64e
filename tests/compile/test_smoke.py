from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from iree_layers.compile.smoke import (
    _VULKAN_NAMES,
    DEVICES,
    Smoke,
    _dispatch,
    smoke,
    smokes,
    vulkan_target,
)
from iree_layers.compile.target import Target
from iree_layers.compile.toolchain import run_tool

# not `from … import smoke`: the package gives that name to the function
module = importlib.import_module("iree_layers.compile.smoke")
needs_vulkan = pytest.mark.skipif("not smoke('vulkan')", reason="no Vulkan device runs here")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    smoke.cache_clear()
    yield
    smoke.cache_clear()


@pytest.mark.parametrize("device", ["local-task", "local-sync"])
def test_local_devices_run(device: str) -> None:
    found = smoke(device)
    assert found.works
    assert found.target == Target.HOST
    assert bool(found)


def test_result_is_kept() -> None:
    assert smoke("nope") is smoke("nope")


@pytest.mark.parametrize("device", ["nope", "metal", "", "local task", "--help", "nope://x\n"])
def test_unknown_device_is_a_reason(device: str) -> None:
    found = smoke(device)
    assert not found.works
    assert "has no driver" in found.detail
    assert found.target is None


def test_wrong_path_lists_what_is_there() -> None:
    assert smoke("local-sync://nope").detail == "no such device; there is local-sync://"


def test_every_driver_of_the_wheel_is_asked() -> None:
    ran = run_tool("iree-run-module", "--list_drivers")
    # `      local-sync: Local execution using a lightweight inline synchronous queue`
    listed = {line.split(":")[0].strip() for line in ran.stdout.splitlines() if "#" not in line}
    assert listed - {""} == set(DEVICES)
    found = list(smokes())
    assert [each.device for each in found] == list(DEVICES)
    for each in found:
        assert each.works == (each.target is not None)
        assert each.detail
        assert "\n" not in each.detail
        assert len(each.detail) <= 200


def test_no_vulkan_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VK_DRIVER_FILES", "/nonexistent")
    monkeypatch.setenv("VK_ICD_FILENAMES", "/nonexistent")
    found = smoke("vulkan")
    assert not found.works
    assert "Vulkan" in found.detail
    assert "\n" not in found.detail


@pytest.mark.skipif(os.name == "nt", reason="LD_LIBRARY_PATH")
def test_no_vulkan_loader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("libvulkan.so.1", "libvulkan.so"):
        (tmp_path / name).write_text("junk")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    monkeypatch.delenv("IREE_HAL_VULKAN_LIBVULKAN_PATH", raising=False)
    assert smoke("vulkan").detail == "no Vulkan loader (libvulkan) is installed"


def test_missing_tool_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    from iree_layers.errors import ToolMissing

    def absent(*_: object, **__: object) -> None:
        raise ToolMissing("the tool 'iree-run-module' is not installed here")

    monkeypatch.setattr(module, "run_tool", absent)
    assert smoke("local-task") == Smoke(
        "local-task", False, "the tool 'iree-run-module' is not installed here", None, ""
    )


@needs_vulkan
def test_vulkan_gets_the_target_that_fits() -> None:
    found = smoke("vulkan")
    assert found.works
    assert found.target is not None
    assert found.target.device == "vulkan"
    if "llvmpipe" in found.name:
        assert found.target == Target.vulkan("llvmpipe")


@needs_vulkan
def test_wrong_vulkan_target_is_found_out() -> None:
    if "llvmpipe" not in smoke("vulkan").name:
        pytest.skip("a GPU that may have 32 lanes")
    works, detail = _dispatch("vulkan", Target.vulkan("ampere"))
    assert not works
    assert "WRONG: element at index 0 (4096)" in detail


@needs_vulkan
def test_module_of_another_device_is_a_reason() -> None:
    works, detail = _dispatch("vulkan", Target.HOST)
    assert not works
    assert "INCOMPATIBLE" in detail
    assert len(detail) <= 200


def test_target_that_does_not_compile_is_a_reason() -> None:
    works, detail = _dispatch("local-sync", Target.HOST.with_flags("--iree-nope"))
    assert not works
    assert detail.startswith("cannot compile for host: ")


@pytest.mark.parametrize(
    ("name", "driver", "target"),
    [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe", "llvmpipe"),
        ("NVIDIA GeForce RTX 4090", "NVIDIA", "ada"),
        ("NVIDIA RTX 6000 Ada Generation", "NVIDIA", "ada"),
        ("NVIDIA A100-SXM4-40GB", "NVIDIA", "ampere"),
        ("NVIDIA GeForce RTX 3060 Laptop GPU", "NVIDIA", "ampere"),
        ("NVIDIA GeForce GTX 1660 Ti", "NVIDIA", "turing"),
        ("Tesla T4", "NVIDIA", "turing"),
        ("Tesla V100-SXM2-16GB", "NVIDIA", "volta"),
        ("NVIDIA GeForce GTX 1080", "NVIDIA", "pascal"),
        ("AMD Radeon RX 7900 XTX (RADV NAVI31)", "radv", "rdna3"),
        ("AMD Radeon RX 9070 XT (RADV GFX1201)", "radv", "rdna4"),
        ("AMD Radeon RX 6800 (RADV NAVI21)", "radv", "rdna2"),
        ("Mali-G715-Immortalis MC11", "Mali", "valhall4"),
        ("Turnip Adreno (TM) 730", "turnip Mesa driver", "adreno"),
        ("V3D 7.1.7.0", "V3DV Mesa", "videocore_vii"),
        ("Intel(R) Arc(tm) A770 Graphics (DG2)", "Intel open-source Mesa driver", "baseline"),
        ("Apple M2", "MoltenVK", "baseline"),
        ("", "", "baseline"),
    ],
)
def test_device_names(name: str, driver: str, target: str) -> None:
    wanted = "vp_android_baseline_2022" if target == "baseline" else target
    assert vulkan_target(name, driver) == wanted


@pytest.mark.parametrize("gpu", sorted({gpu for _, gpu in _VULKAN_NAMES} | {vulkan_target("")}))
def test_compiler_knows_every_target_of_the_table(gpu: str, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(module._PROGRAM)
    flags = (*Target.vulkan(gpu).flags, "--compile-to=preprocessing", "-o", "p.out")
    assert run_tool("iree-compile", "p.mlir", *flags, cwd=tmp_path).exit == 0
