"""Does a device really run code here, and which target fits it? Found out by one real dispatch.

A listing proves nothing: the loader can be there without a driver, the driver can refuse its
queue, and a target for another GPU can give wrong numbers without an error. So a matmul and a
reduction are compiled for the device and run by `iree-run-module --expected_output` (3.13.0), each
in a subprocess. The reduction matters: on a wrong Vulkan target it is what comes out wrong.
"""

from __future__ import annotations

import functools
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import LayersError
from .target import Target
from .toolchain import run_tool

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DEVICES", "Smoke", "smoke", "smokes", "vulkan_target"]

DEVICES = ("local-task", "local-sync", "vulkan", "cuda", "hip")
"drivers in the runtime wheel 3.13.0 (`iree-run-module --list_drivers`)"

_SECONDS = 60.0
_BASELINE = "vp_android_baseline_2022"  # what the compiler takes when no Vulkan target is named

_PROGRAM = """\
func.func @smoke(%a: tensor<8x64xf32>, %b: tensor<64x128xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x128xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x128xf32>) -> tensor<8x128xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x128xf32>)
                     outs(%c : tensor<8x128xf32>) -> tensor<8x128xf32>
  %f = tensor.empty() : tensor<8xf32>
  %s = linalg.fill ins(%zero : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.reduce { arith.addf } ins(%p : tensor<8x128xf32>) outs(%s : tensor<8xf32>)
                                    dimensions = [1]
  return %r : tensor<8xf32>
}
"""
# 64 * 1 * 2 = 128 in each place of the product, 128 * 128 in each sum: exact in f32
_CALL = (
    "--function=smoke",
    "--input=8x64xf32=1",
    "--input=64x128xf32=2",
    "--expected_output=8xf32=16384",
)

# What the driver calls the device → the compiler's name for it. First match wins.
_VULKAN_NAMES = (
    # `driver: llvmpipe`, `llvmpipe (LLVM 15.0.6, 256 bits)` (Mesa 22.3.6)
    (r"llvmpipe|lavapipe", "llvmpipe"),
    # `NVIDIA GeForce RTX 4090`, `NVIDIA RTX 6000 Ada Generation`, `NVIDIA L4`
    (r"nvidia.*\b(rtx 40\d\d|ada\b|l4\b|l40)", "ada"),
    # `NVIDIA GeForce RTX 3080`, `NVIDIA A100-SXM4-40GB`, `NVIDIA RTX A4000`
    (r"nvidia.*\b(rtx 30\d\d|a\d{1,4}\b)", "ampere"),
    # `NVIDIA GeForce RTX 2070`, `NVIDIA GeForce GTX 1660`, `Tesla T4`
    (r"(nvidia|tesla).*\b(rtx 20\d\d|gtx 16\d\d|t4\b)", "turing"),
    (r"(nvidia|tesla).*\b(titan v|v100)", "volta"),
    (r"(nvidia|tesla).*\b(gtx 10\d\d|p100|p4\b|p40\b)", "pascal"),
    # `AMD Radeon RX 7900 XTX (RADV NAVI31)`, `AMD Radeon Graphics (RADV GFX1103_R1)`
    (r"\brx 90\d\d|navi4\d|gfx12\d\d", "rdna4"),
    (r"\brx 7\d\d\d|navi3\d|gfx11\d\d|radeon 7[468]0m|phoenix", "rdna3"),
    (r"\brx 6\d\d\d|navi2\d|gfx103\d|rembrandt|van ?gogh", "rdna2"),
    (r"\brx 5\d00|navi1\d|gfx101\d", "rdna1"),
    # `Mali-G715-Immortalis MC11`, `Mali-G610`
    (r"mali-g[67][12][05]|immortalis-g7", "valhall4"),
    # `Adreno (TM) 740`, `Turnip Adreno (TM) 730`
    (r"adreno", "adreno"),
    # `V3D 7.1.7.0` of a Raspberry Pi 5
    (r"\bv3d 7", "videocore_vii"),
)

_NO_DEVICE = {
    "VK_ERROR_INCOMPATIBLE_DRIVER": "the Vulkan loader is here, but no driver for it",
    "Vulkan loader library not found": "no Vulkan loader (libvulkan) is installed",
    "CUDA driver library": "no CUDA driver (libcuda) is installed",
    "HIP runtime library": "no HIP runtime (libamdhip64) is installed",
}


@dataclass(frozen=True)
class Smoke:
    """What one device did with one dispatch."""

    device: str
    "as `iree-run-module --device` takes it"
    works: bool
    detail: str
    "one line: what ran, or why nothing did"
    target: Target | None
    "target to compile with for this device; None if it does not work"
    name: str
    "what the driver calls the device, '' if there is none"

    def __bool__(self) -> bool:
        return self.works

    def __str__(self) -> str:
        return f"{self.device}: {'ok' if self.works else 'no'}, {self.detail}"


@functools.cache
def smoke(device: str) -> Smoke:
    """Compile for a device and run there; kept for the rest of the process. Never raises.

    Takes about half a second. `smoke.cache_clear()` asks again.

    Args:
        device: `local-task`, `local-sync`, `vulkan`, `cuda`, `hip`, or a full
            `vulkan://GPU-…` as `iree-run-module --list_devices` prints it.
    """
    try:
        return _smoke(device)
    except (LayersError, OSError) as error:
        return Smoke(device, False, _one_line(str(error)), None, "")


def smokes() -> Iterator[Smoke]:
    """One `Smoke` for each driver of the runtime wheel, as each is ready."""
    for device in DEVICES:
        yield smoke(device)


def vulkan_target(name: str, driver: str = "") -> str:
    """Compiler target for a Vulkan device, by its name and driver; the baseline if unknown.

    The baseline is right for f32 everywhere, and knows no f16; see `Target.vulkan`.
    """
    said = f"{name} {driver}".lower()
    return next((gpu for words, gpu in _VULKAN_NAMES if re.search(words, said)), _BASELINE)


def _smoke(device: str) -> Smoke:
    driver = device.partition("://")[0]
    if driver not in DEVICES:
        reason = f"the runtime has no driver {driver!r}; it has {', '.join(DEVICES)}"
        return Smoke(device, False, reason, None, "")
    ran = run_tool("iree-run-module", f"--dump_devices={driver}", check=False, timeout=_SECONDS)
    # `# --device=vulkan://GPU-6d65736132322e332e36000000000000`; never ask the exit code
    found = re.search(rf"^# --device=({re.escape(device)}\S*)", ran.stdout, re.MULTILINE)
    if not found:
        there = re.findall(r"^# --device=(\S+)", ran.stdout, re.MULTILINE)
        reason = f"no such device; there is {', '.join(there)}" if there else _no_device(ran.stderr)
        return Smoke(device, False, reason, None, "")
    # `# --device=…`, next line `#   llvmpipe (LLVM 15.0.6, 256 bits) (llvmpipe Mesa 22.3.6 …)`
    about = ran.stdout[found.end() :].partition("# --device=")[0]
    name = _field(about, "name") or driver
    detail = "nothing fits"
    for target in _candidates(driver, name, about):
        works, detail = _dispatch(device, target)
        if works:
            return Smoke(device, True, detail, target, name)
    return Smoke(device, False, detail, None, name)


def _candidates(driver: str, name: str, about: str) -> tuple[Target, ...]:
    """Targets to try, the best first."""
    if driver.startswith("local"):
        return (Target.HOST,)
    if driver == "vulkan":
        names = dict.fromkeys((vulkan_target(name, _field(about, "driver")), _BASELINE))
        return tuple(Target.vulkan(gpu) for gpu in names)
    if driver == "cuda":  # PTX is compiled again by the driver, for this GPU or a newer one
        return (Target.cuda("sm_80"), Target.cuda("sm_60"))
    # `gfx1100`, `gfx90a:sramecc+:xnack-`
    chips = re.findall(r"\bgfx[0-9a-f]{3,4}\b", about)
    return tuple(Target.hip(chip) for chip in dict.fromkeys((*chips, "gfx942")))


def _dispatch(device: str, target: Target) -> tuple[bool, str]:
    """Compile and run; (right result, one line)."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "smoke.mlir").write_text(_PROGRAM)
        argv = ("smoke.mlir", "-o", "smoke.vmfb", *target.flags)
        built = run_tool("iree-compile", *argv, cwd=here, check=False, timeout=_SECONDS)
        if built.exit != 0:
            return False, f"cannot compile for {target.name}: {_one_line(built.stderr)}"
        call = ("--module=smoke.vmfb", f"--device={device}", *_CALL)
        ran = run_tool("iree-run-module", *call, cwd=here, check=False, timeout=_SECONDS)
    if ran.exit == 0:
        return True, f"a matmul and a sum ran with target {target.name}, and are right"
    # `[FAILED] result[0]: element at index 0 (4096) does not match the expected (16384); …`
    wrong = re.search(r"\[FAILED\].*?(element[^;]*)", ran.stdout)
    if wrong:
        return False, f"runs with target {target.name}, but WRONG: {wrong[1]}"
    return False, f"cannot run {target.name}: {_one_line(ran.stderr)}"


def _field(about: str, key: str) -> str:
    # `name: llvmpipe (LLVM 15.0.6, 256 bits)`
    found = re.search(rf"^{key}: (.*)$", about, re.MULTILINE)
    return found[1].strip() if found else ""


def _no_device(stderr: str) -> str:
    for sign, reason in _NO_DEVICE.items():
        if sign in stderr:
            return reason
    return _one_line(stderr) if stderr.strip() else "the driver lists no device"


def _one_line(text: str) -> str:
    """The line that holds the reason, at most 160 characters, without colours."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # `smoke.mlir:1:1: error: …`, `<path>/driver_registry.c:319: NOT_FOUND; no driver 'x' …`
    sign = re.compile(r"error: (.*)|\b([A-Z_]{6,}; .*)")
    found = next((m for m in map(sign.search, lines) if m), None)
    line = (found[1] or found[2]) if found else (lines[0] if lines else "no message")
    return line if len(line) <= 160 else line[:159] + "…"
