"""One module for several devices: targets with several backends, and conditions on variants."""

from __future__ import annotations

import re
from pathlib import Path

from iree_layers.compile import Target, build, checkpoints, program
from iree_layers.errors import ProgramError

__all__ = ["UNLINKED", "conditioned", "fat", "guarded", "two_kernels"]

HERE = Path(__file__).parent
MLP = HERE.parent / "s2_pipeline" / "mlp.mlir"
UNLINKED = "--iree-hal-link-executables=false"

_DETAILS = {
    "llvm-cpu": "--iree-llvmcpu-target-cpu=host",
    "vulkan-spirv": "--iree-vulkan-target=llvmpipe",
    "cuda": "--iree-cuda-target=sm_80",
}


def fat(*backends: str, flags: tuple[str, ...] = ()) -> Target:
    """One device that may be any of these: the first that fits is taken when a module is loaded.

    Args:
        backends: as `--iree-hal-target-backends=` takes them, in order of preference.
        flags: more flags.
    """
    chosen = tuple(f"--iree-hal-target-backends={one}" for one in backends)
    details = tuple(_DETAILS[one] for one in backends if one in _DETAILS)
    return Target("+".join(backends), (*chosen, *details, *flags), None, "execute")


def two_kernels() -> Target:
    """The CPU device with two kinds of code for it: machine code, and VM bytecode kernels."""
    again = "--iree-hal-local-target-device-backends=vmvx"
    return Target("llvm-cpu+vmvx", (*Target.HOST.flags, again), "local-task", "execute")


def conditioned(text: str, variant: str, body: str) -> str:
    """The IR of phase `executable-sources` with a condition on a variant.

    Args:
        text: the phase.
        variant: begin of the variant's name, e.g. `embedded_elf`.
        body: operations that use `%device` and end in `hal.return … : i1`.

    Raises:
        ProgramError: no variant has this name.
    """
    # hal.executable.variant public @embedded_elf_x86_64 target(#executable_target_…) {     (3.13.0)
    head = re.compile(rf"^ *hal\.executable\.variant public @{re.escape(variant)}.*\{{\n", re.M)
    found = head.search(text)
    if found is None:
        raise ProgramError(f"there is no variant @{variant}…", expected="IR of executable-sources")
    region = f"hal.executable.condition(%device: !hal.device) -> i1 {{\n{body.strip()}\n}}\n"
    return text[: found.end()] + region + text[found.end() :]


def guarded(body: str, *, spare: bool, edit: tuple[str, str] | None = None) -> Path:
    """mlp.mlir for the CPU, its machine code behind a condition.

    Args:
        body: of the condition.
        spare: there is a second variant, of VM bytecode, for devices that it does not hold for.
        edit: an operation of the machine code's kernel, and what takes its place.

    Raises:
        CompileError: the condition is no legal IR.
    """
    target = two_kernels() if spare else Target.HOST
    source = checkpoints(program(MLP), target)["executable-sources"]
    text = conditioned(source.read_text(encoding="utf-8"), "embedded_elf", body)
    if edit:
        text = text.replace(*edit, 1)  # the machine code's variant is the first
    edited = source.with_name("mlp.guarded.mlir")
    edited.write_text(text, encoding="utf-8")
    return build(edited, target, compile_from="executable-sources").vmfb
