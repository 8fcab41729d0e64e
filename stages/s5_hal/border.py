"""One program for several targets: its phases, where two of them part, what files come out.

Phases come from one silent compile per target (`checkpoints`); everything that is shown or compared
is made with targets whose IR is the same on every machine.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from iree_layers.compare import diff
from iree_layers.compare.difference import Diff
from iree_layers.compile import Target, checkpoints, program
from iree_layers.execute import Member, contents

__all__ = ["SIX", "files", "formats", "parted", "parting", "phases", "plain"]

HERE = Path(__file__).parent
MLP = HERE.parent / "s2_pipeline" / "mlp.mlir"

SIX: dict[str, Target] = {
    "llvm-cpu": Target.TEXT,
    "vmvx": Target.vmvx(),
    "vulkan": Target.vulkan(),
    "cuda": Target.cuda(),
    "hip": Target.hip(),
    "metal": Target.metal(),
}
"A device name for each, and the target that it is compiled with."

# #device_target_vulkan = #hal.device.target<"vulkan", …>                              (3.13.0)
# #executable_target_vulkan_spirv_fb = #hal.executable.target<…>                       (3.13.0)
_DEFINED = re.compile(r"#(?:executable|device)_target_\w+ = ")
#   util.global private @__device_0 = #device_target_vulkan                            (3.13.0)
_DEVICE = re.compile(r"\s*util\.global private @__device_0 = ")
# <format = "embedded-elf-x86_64", data = dense<"0x7F45…"> : vector<3968xi8>, …        (3.13.0)
_BLOB = re.compile(r'data = dense<"0x[0-9A-F]*"> : vector<\d+xi8>')


@cache
def _made(target: Target, source: Path) -> tuple[dict[str, str], tuple[Member, ...]]:
    found = checkpoints(program(source), target)
    texts = {phase: path.read_text(encoding="utf-8") for phase, path in found.items()}
    return texts, contents(found.vmfb).members


def phases(target: Target, source: Path = MLP) -> dict[str, str]:
    """Phase name → IR at its end, machine code cut out."""
    texts, _ = _made(target, source)
    return {phase: _BLOB.sub("data = …", text) for phase, text in texts.items()}


def plain(text: str, *, device: bool = True) -> str:
    """The text without the lines that only say what a target's name stands for.

    Args:
        text: a phase.
        device: leave out the line of the device's global too.
    """
    lines = [line for line in text.splitlines() if not _DEFINED.match(line)]
    return "\n".join(line for line in lines if not (device and _DEVICE.match(line)))


def parted(one: Target, other: Target, phase: str, *, device: bool = False) -> Diff:
    """What differs between two targets at the end of a phase, definitions of targets left out.

    Args:
        one: the target on the left.
        other: the target on the right.
        phase: where to compare.
        device: leave out the line of the device's global too.
    """
    texts = (plain(phases(target)[phase], device=device) for target in (one, other))
    return diff(*texts, rules=("ssa", "location", "payload"))


def parting(*, device: bool = False) -> str:
    """For each phase and target: lines that are not as for llvm-cpu, of how many."""
    names = [name for name in SIX if name != "llvm-cpu"]
    rows = [f"{'lines that differ':26}" + "".join(f"{name:>8}" for name in names) + "  of"]
    for phase, text in phases(SIX["llvm-cpu"]).items():
        found = [parted(SIX["llvm-cpu"], SIX[name], phase, device=device) for name in names]
        cells = "".join(f"{one.added or '·':>8}" for one in found)
        rows.append(f"{phase:26}{cells}{len(plain(text).splitlines()):>4}")
    return "\n".join(rows)


def formats(target: Target) -> list[str]:
    """Formats of the executables at the end of phase `hal`, e.g. `vulkan-spirv-fb`."""
    found = re.findall(r'hal\.executable\.binary .*?<format = "([^"]+)"', phases(target)["hal"])
    return list(dict.fromkeys(found))


def files() -> str:
    """For each target: the format's name, what its bytes are, how many."""
    rows = []
    for name, target in SIX.items():
        for member in _made(target, MLP)[1]:
            if member.name != "module.fb":
                (form,) = formats(target)
                suffix = member.name.rpartition(".")[2]
                rows.append(f"{name:9} {form:20} .{suffix:3} {member.size:>6} bytes  {member.kind}")
    return "\n".join(rows)
