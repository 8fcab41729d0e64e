"""Which devices of this machine really run compiled code, found by running some.

In: nothing. Out: `Device`s. Each was proved by a small program with a known answer
(`compile.smoke`): a driver that is listed, or opens, may still compute nothing, or wrong numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..compile.smoke import DEVICES, smoke
from ..compile.target import Target

__all__ = ["Device", "device_line", "devices"]


@dataclass(frozen=True)
class Device:
    """One device that runs compiled code here."""

    name: str
    "as `run(device=…)` and `iree-run-module --device=` take it"
    description: str
    "what the driver calls it; differs from machine to machine"
    target: Target
    "the target to compile with for it"

    def __str__(self) -> str:
        return f"{self.name}: {self.description} (compile with {self.target.name})"

    def __repr__(self) -> str:
        return f"Device({self})"


def devices() -> tuple[Device, ...]:
    """Devices that work here: `local-task`, `local-sync`, then GPUs.

    The first call takes about half a second for each driver; the answer is kept.
    """
    found = [smoke(name) for name in DEVICES]
    return tuple(
        Device(one.device, one.name or one.detail, one.target)
        for one in found
        if one.works and one.target
    )


def device_line(name: str) -> str:
    """One line about one device: what it is, or why it does not work here. Never raises."""
    found = smoke(name)
    if found.works and found.target:
        return f"{name} works here: {found.name or found.detail}, target {found.target.name}"
    return f"{name} does not work here: {found.detail}"
