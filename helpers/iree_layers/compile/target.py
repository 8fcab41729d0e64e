"""Targets: for whom the compiler generates code, as a name and a tuple of flags.

Two targets are law. `Target.TEXT` fixes the triple and the CPU, so that the IR that you print or
compare is the same on every machine; its code must not be run. `Target.HOST` asks for this
machine's CPU; its numbers are right and fast, but its IR differs from machine to machine.

Flags were checked against `iree-compile` 3.13.0 (`--iree-hal-list-target-backends` lists
cuda, llvm-cpu, metal-spirv, rocm, vmvx, vmvx-inline, vulkan-spirv).
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from ..errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Target"]

Purpose = Literal["print", "execute", "both"]

_LOCAL = "--iree-hal-target-device=local"
_LLVM_CPU = "--iree-hal-local-target-device-backends=llvm-cpu"


@dataclass(frozen=True)
class Target:
    """One compilation target."""

    name: str
    "short name, as `Target.named` takes it"
    flags: tuple[str, ...]
    "flags of iree-compile that select it"
    device: str | None
    "runtime device that can run the result (`local-task`, `vulkan`, …), None if the wheel has none"
    purpose: Purpose
    "`print`: IR is stable, never run it; `execute`: run it, never store its IR; `both`"

    TEXT: ClassVar[Target]
    HOST: ClassVar[Target]

    def __repr__(self) -> str:
        return f"Target({self.name}: {' '.join(self.flags)})"

    def with_flags(self, *flags: str) -> Target:
        """The same target with more compiler flags at the end.

        Of two values of one flag the later wins, except `--iree-hal-target-device`, which adds a
        device to the program.
        """
        return replace(self, flags=self.flags + flags)

    def with_devices(self, *names: str) -> Target:
        """The same for several CPU devices of a program, which calls them by these names.

        Flags `--iree-hal-target-device=NAME=local[0]` and on. At run time give as many devices, in
        this order: `run(…, device=("local-task", "local-sync"))`.

        Raises:
            TargetError: this is no CPU target, or a name is no MLIR symbol.
        """
        if _LOCAL not in self.flags:
            raise TargetError(
                f"{self.name} is not a target of local devices",
                expected="Target.HOST or Target.TEXT",
            )
        for name in names:
            if not re.fullmatch(r"[A-Za-z_]\w*", name):
                raise TargetError(f"{name!r} is no name of a device", expected="a name as dev_a")
        named = [f"--iree-hal-target-device={n}=local[{k}]" for k, n in enumerate(names)]
        return replace(self, flags=(*named, *(flag for flag in self.flags if flag != _LOCAL)))

    @staticmethod
    def cpu(cpu: str = "generic", *, triple: str = "x86_64-unknown-unknown-eabi-elf") -> Target:
        """LLVM code for a named CPU (`generic`, `x86-64-v3`, `znver4`, …) on any machine."""
        flags = (
            _LOCAL,
            _LLVM_CPU,
            f"--iree-llvmcpu-target-triple={triple}",
            f"--iree-llvmcpu-target-cpu={cpu}",
        )
        return Target(f"cpu:{cpu}", flags, "local-task", "print")

    @staticmethod
    def vulkan(gpu: str = "llvmpipe") -> Target:
        """SPIR-V for a named GPU; `doctor()` says which name fits the device you have.

        The default, `llvmpipe`, is Mesa's software driver: the only name whose results were
        right for every dtype tried there. Also `sm_89`, `gfx1100`, `rtx4090` and other names of
        chips and products; a wrong one crashes iree-compile 3.13.0, so names without a digit are
        checked here.

        Raises:
            TargetError: not a name the compiler knows; the message has the nearest and the list.
        """
        _check_family("vulkan", gpu, _VULKAN_FAMILIES)
        flags = ("--iree-hal-target-device=vulkan", f"--iree-vulkan-target={gpu}")
        return Target(f"vulkan:{gpu}", flags, "vulkan", "both")

    @staticmethod
    def vmvx() -> Target:
        """Portable VM bytecode kernels: slow, and the same bytes everywhere."""
        flags = (_LOCAL, "--iree-hal-local-target-device-backends=vmvx")
        return Target("vmvx", flags, "local-task", "both")

    @staticmethod
    def cuda(arch: str = "sm_80") -> Target:
        """PTX for an NVIDIA architecture; compiles without CUDA installed.

        3.13.0 knows `sm_60` to `sm_89` and `sm_120`, and says `missing GPU target` for `sm_90`.

        Raises:
            TargetError: a name without a digit that the compiler does not know.
        """
        _check_family("cuda", arch, _CUDA_FAMILIES)
        flags = ("--iree-hal-target-device=cuda", f"--iree-cuda-target={arch}")
        return Target(f"cuda:{arch}", flags, "cuda", "both")

    @staticmethod
    def hip(chip: str = "gfx942") -> Target:
        """HSACO for an AMD chip; compiles without ROCm installed."""
        flags = ("--iree-hal-target-device=hip", f"--iree-rocm-target={chip}")
        return Target(f"hip:{chip}", flags, "hip", "both")

    @staticmethod
    def metal() -> Target:
        """Metal shading language as text; compiles on any machine, the wheel cannot run it."""
        flags = ("--iree-hal-target-device=metal", "--iree-metal-compile-to-metallib=false")
        return Target("metal", flags, None, "both")

    @staticmethod
    def named(name: str) -> Target:
        """The target of a name such as `text`, `host`, `vulkan`, `cuda:sm_89`, `cpu:znver4`.

        Names of IREE's backends (`llvm-cpu`, `vulkan-spirv`, `rocm`) are understood too.

        Raises:
            TargetError: no such target; the message has the nearest name and the whole list.
        """
        head, _, detail = name.partition(":")
        head = _SPELLINGS.get(head.lower(), head.lower())
        if head in ("text", "host") and not detail:
            return Target.TEXT if head == "text" else Target.HOST
        if head in _DETAILED:
            return _DETAILED[head](detail) if detail else _DETAILED[head]()
        if head in _PLAIN and not detail:
            return _PLAIN[head]()
        known = ["text", "host", *_DETAILED, *_PLAIN]
        near = difflib.get_close_matches(head, [*known, *_SPELLINGS], n=1, cutoff=0.5)
        raise TargetError(
            f"there is no target {name!r}",
            expected=f"one of {', '.join(known)}; {', '.join(_DETAILED)} also take a chip, "
            "as in cuda:sm_89",
            todo=f"did you mean {near[0]!r}?" if near else "pick one of the list",
        )


def _check_family(kind: str, name: str, families: tuple[str, ...]) -> None:
    """Refuse a name that holds no digit and is no known family; the compiler judges the rest."""
    if name in families or (any(c.isdigit() for c in name) and " " not in name):
        return
    near = difflib.get_close_matches(name.lower(), families, n=1, cutoff=0.5)
    raise TargetError(
        f"there is no {kind} target {name!r}",
        expected=f"one of {', '.join(families)}, or a chip or product, as sm_89",
        todo=f"did you mean {near[0]!r}?" if near else "`iree-layers doctor` says which one fits",
    )


# Names without a digit that iree-compile 3.13.0 takes; tests/compile/test_target.py asks it.
_VULKAN_FAMILIES = (
    "llvmpipe",
    "adreno",
    "valhall",
    "ampere",
    "ada",
    "turing",
    "volta",
    "pascal",
    "videocore_vii",
)
_CUDA_FAMILIES = ("ampere", "ada", "turing", "volta", "pascal")

_DETAILED: dict[str, Callable[..., Target]] = {
    "cpu": Target.cpu,
    "vulkan": Target.vulkan,
    "cuda": Target.cuda,
    "hip": Target.hip,
}
_PLAIN: dict[str, Callable[[], Target]] = {"vmvx": Target.vmvx, "metal": Target.metal}
_SPELLINGS = {
    "llvm-cpu": "host",
    "local": "host",
    "vulkan-spirv": "vulkan",
    "rocm": "hip",
    "metal-spirv": "metal",
}

# x86-64-v3 shows 8-wide AVX2 vectors: wide enough to see vectorisation, narrow enough to read.
Target.TEXT = replace(Target.cpu("x86-64-v3"), name="text")
Target.HOST = Target(
    "host", (_LOCAL, _LLVM_CPU, "--iree-llvmcpu-target-cpu=host"), "local-task", "execute"
)
