"""One module for several devices: targets with several backends, and conditions on variants."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from iree_layers.compile import Target, build, checkpoints, program
from iree_layers.errors import ProgramError
from iree_layers.execute import devices

__all__ = ["UNLINKED", "conditioned", "fat", "guarded", "two_kernels"]

HERE = Path(__file__).parent
MLP = HERE.parent / "s2_pipeline" / "mlp.mlir"
UNLINKED = "--iree-hal-link-executables=false"

_DETAILS = {
    "llvm-cpu": ("--iree-llvmcpu-target-cpu=host",),
    "vulkan-spirv": ("--iree-vulkan-target=llvmpipe",),
    "cuda": ("--iree-cuda-target=sm_80",),
}
# The CPU and the triple of Target.TEXT.
_TEXT = tuple(flag for flag in Target.TEXT.flags if flag.startswith("--iree-llvmcpu-"))


def fat(*backends: str, flags: tuple[str, ...] = (), to_print: bool = False) -> Target:
    """One device that may be any of these: the first that fits is taken when a module is loaded.

    Args:
        backends: as `--iree-hal-target-backends=` takes them, in order of preference.
        flags: more flags.
        to_print: for IR and file names that are the same on every machine; not to be run.
    """
    chosen = tuple(f"--iree-hal-target-backends={one}" for one in backends)
    here = {"llvm-cpu": _TEXT} if to_print else {"vulkan-spirv": _vulkan()}
    known = _DETAILS | here
    details = tuple(flag for one in backends for flag in known.get(one, ()))
    purpose: Literal["print", "execute"] = "print" if to_print else "execute"
    return Target("+".join(backends), (*chosen, *details, *flags), None, purpose)


def _vulkan() -> tuple[str, ...]:
    """Flags for the Vulkan device of this machine, or for any if there is none."""
    target = next((one.target for one in devices() if one.name == "vulkan"), Target.vulkan())
    return tuple(flag for flag in target.flags if flag.startswith("--iree-vulkan-target="))


def two_kernels(*, to_print: bool = False) -> Target:
    """The CPU device with two kinds of code for it: machine code, and VM bytecode kernels."""
    again = "--iree-hal-local-target-device-backends=vmvx"
    base = Target.TEXT if to_print else Target.HOST
    return Target("llvm-cpu+vmvx", (*base.flags, again), "local-task", base.purpose)


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


def guarded(
    body: str,
    *,
    spare: bool,
    edit: tuple[str, str] | None = None,
    compile_to: str | None = None,
) -> Path:
    """mlp.mlir for the CPU, its machine code behind a condition.

    Args:
        body: of the condition.
        spare: there is a second variant, of VM bytecode, for devices that it does not hold for.
        edit: an operation of the machine code's kernel, and what takes its place.
        compile_to: stop after this phase and give its IR, to be printed; else the module.

    Raises:
        CompileError: the condition is no legal IR.
    """
    to_print = compile_to is not None
    alone = Target.TEXT if to_print else Target.HOST
    target = two_kernels(to_print=to_print) if spare else alone
    source = checkpoints(program(MLP), target)["executable-sources"]
    text = conditioned(source.read_text(encoding="utf-8"), "embedded_elf", body)
    if edit:
        text = text.replace(*edit, 1)  # the machine code's variant is the first
    edited = source.with_name("mlp.guarded.mlir")
    edited.write_text(text, encoding="utf-8")
    return build(edited, target, compile_from="executable-sources", compile_to=compile_to).vmfb
