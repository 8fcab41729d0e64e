"""How long each dispatch took and how much memory was in use, as the runtime measured it.

In: a file of `iree-run-module --device_profiling_mode=… --device_profiling_output=FILE` (3.13.0).
Out: a `Profile`. It holds the call alone, of the first device alone. Read with `iree-profile`
`queue`, `memory` and `dispatch --dispatch_events`, each with `--format=jsonl`; not with `command`,
which refuses what local-sync writes (`missing command-buffer metadata`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..compile.toolchain import Command, run_tool
from .replay import damaged

__all__ = ["Profile", "Timing", "profile_modes", "read_profile"]

_NONE = (1 << 32) - 1
"what stands for: no number"

# Each driver refuses what it cannot measure, e.g. `UNIMPLEMENTED; unsupported local profiling data
# families 0x4`; cuda and hip were not tried.
_LOCAL = ("host-execution", "command-region-events")
_GPU = ("device-queue-events", "dispatch-events")


@dataclass(frozen=True, slots=True)
class Timing:
    """When one dispatch ran."""

    submission: int
    "number that the device gave it"
    command: int | None
    "0-based place in the command buffer; None if the device does not say it (local-sync)"
    name: str
    nanoseconds: int | None


@dataclass(frozen=True, slots=True)
class Profile:
    """What the first device measured."""

    operations: tuple[tuple[int, str], ...]
    "number and kind of each queue operation, by number"
    timings: tuple[Timing, ...]
    "in the order in which they were written"
    high_water: int
    "most bytes at one time that were asked for and not yet given back, on queues"
    commands: tuple[Command, ...]
    "that read it"


def profile_modes(device: str) -> str:
    """`--device_profiling_mode` that a device takes.

    Args:
        device: e.g. `local-task`, `vulkan://GPU-…`.
    """
    own = _LOCAL if device.startswith("local-") else _GPU
    return ",".join(("queue-events", *own, "memory-events", "executable-metadata"))


def read_profile(path: Path) -> Profile:
    """Read a profile.

    Raises:
        RunError: it is no profile, or a damaged one.
    """
    queue, asked = _rows(path, "queue")
    memory, about_memory = _rows(path, "memory")
    dispatch, about_dispatch = _rows(path, "dispatch", "--dispatch_events")
    try:
        pools = [row for row in memory if row["type"] == "memory_device"]
        events = [row for row in queue if row["type"] == "queue_event"]
        return Profile(
            operations=tuple(sorted((row["submission_id"], row["op"]) for row in events)),
            timings=tuple(_timing(row) for row in dispatch if row["type"].endswith("_event")),
            # Not what its pools reserve: that is rounded up, on Vulkan 320 bytes to 512.
            high_water=sum(row["queue_inflight_high_water_bytes"] for row in pools),
            commands=(asked, about_memory, about_dispatch),
        )
    except (KeyError, TypeError) as error:
        why = f"what it says does not fit together ({error!r})"
        raise damaged(path, why, asked) from error


def _rows(path: Path, view: str, *flags: str) -> tuple[Sequence[Mapping[str, Any]], Command]:
    args = (view, "--format=jsonl", *flags, path.name)
    ran = run_tool("iree-profile", *args, cwd=path.parent, check=False)
    if ran.exit != 0:
        raise damaged(path, ran.stderr, ran.command)
    try:
        return [json.loads(line) for line in ran.stdout.splitlines()], ran.command
    except ValueError as error:
        raise damaged(path, f"{error}", ran.command) from error


def _timing(row: Mapping[str, Any]) -> Timing:
    command = row["command_index"]
    return Timing(
        submission=row["submission_id"],
        command=None if command == _NONE else command,
        name=row["key"],
        nanoseconds=row.get("duration_ns") if row["valid"] else None,
    )
