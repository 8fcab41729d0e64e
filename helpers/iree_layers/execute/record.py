"""What one run of a function really did: the runtime's own record of it, as values.

In: what `run()` takes. Out: a `Record`. The function runs once, in `iree-run-module`, which writes
two files: `--device_replay_output` (every call to the HAL) and `--device_profiling_output` (times
and memory, of the first device); `iree-dump-replay` and `iree-profile` read them (3.13.0). Works on
local-task, local-sync and vulkan.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import xxhash

from ..compile.scratch import Scratch
from ..compile.target import Target
from ..compile.toolchain import Command, Ran, exit_text, failure, run_tool
from ..errors import RunError
from .command import run_command
from .contents import Contents, contents
from .devices import Device, devices
from .measured import high_water, timed
from .module import Module, open_module
from .problem import device_problem, explain
from .profile import profile_modes, read_profile
from .replay import Log, damaged, read_replay
from .run import Parameters, device_names
from .submissions import Allocation, Dispatch, Submission, Transfer
from .walk import submitted

__all__ = ["Record", "record"]

_LOG, _PROFILE = "run.ireereplay", "run.ireeprof"


@dataclass(frozen=True, eq=False)
class Record:
    """What one call did, without what came before it (inputs) and after it (results)."""

    function: str
    devices: tuple[str, ...]
    dispatches: tuple[Dispatch, ...]
    "in the order in which they were submitted"
    transfers: tuple[Transfer, ...]
    "copies, fills and updates, in that order too"
    submissions: tuple[Submission, ...]
    "all operations on queues: `alloca`, `execute`, `dealloca`, …"
    allocations: tuple[Allocation, ...]
    barriers: int
    "execution barriers; one stands at the end of each command buffer too"
    high_water_bytes: int | None
    """most bytes that the call had asked for and not given back; None if the device does not record
    what is given back, or if it is not the first of several"""
    calls: tuple[str, ...]
    "names of all calls to the HAL during the call, in order"
    log: Log = field(repr=False)
    "the same with arguments, and with what came before and after"
    seconds: float
    "of the whole run, the start of the process included"
    commands: tuple[Command, ...] = field(repr=False)
    "that made this, to be pasted in a shell that stands in `folder`"
    notes: tuple[str, ...]
    "what else is to be known about this run"
    folder: Path = field(repr=False)
    "the module, the inputs and both files; deleted when no record and no path holds it any more"

    @property
    def copies(self) -> tuple[Transfer, ...]:
        """The transfers that copy."""
        return tuple(one for one in self.transfers if one.op == "copy")

    @property
    def fills(self) -> tuple[Transfer, ...]:
        """The transfers that fill with a pattern."""
        return tuple(one for one in self.transfers if one.op == "fill")

    @property
    def groups(self) -> tuple[tuple[Dispatch, ...], ...]:
        """The dispatches, those without a barrier between them together."""
        found: dict[tuple[int, int], list[Dispatch]] = defaultdict(list)
        for one in self.dispatches:
            found[one.submission, one.group].append(one)
        return tuple(map(tuple, found.values()))

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each call to the HAL was made, in the order of first use."""
        return dict(Counter(self.calls))

    def __str__(self) -> str:
        parts = (
            _count(len(self.dispatches), "dispatch", "dispatches"),
            _count(len(self.groups), "group"),
            _count(self.barriers, "barrier"),
            _count(len(self.transfers), "transfer"),
            _count(len(self.submissions), "submission"),
        )
        return f"{self.function} on {' and '.join(self.devices)}: {', '.join(parts)}"

    def __repr__(self) -> str:
        return f"Record({self})"


def record(
    vmfb: object,
    fn: str | None = None,
    *arrays: object,
    device: str | Device | Sequence[str | Device] = "local-task",
    parameters: Parameters = (),
    folder: Path | None = None,
    timeout: float | None = None,
) -> Record:
    """Run a function once and keep what the runtime recorded of it.

    Args:
        vmfb: as for `run()`, and so are `fn`, `arrays`, `device` and `parameters`.
        fn: name of the function; None for the only one.
        arrays: its arguments.
        device: where; of several the first one is measured, all are logged.
        parameters: files of weights by scope.
        folder: a new or empty folder for the files, which is kept; None for a scratch folder.
        timeout: seconds until the run is stopped.

    Raises:
        RunError: `run()` would refuse the call, the run failed, or a file that it wrote is damaged.
        ProgramError: the folder holds something already.
    """
    target = getattr(vmfb, "target", None)
    if isinstance(target, Target) and target.purpose == "print":
        raise RunError(
            f"this {type(vmfb).__name__} was compiled for {target.name}, to be read, not to be run",
            expected="a module compiled to be run",
            todo="build(program), which compiles with Target.HOST",
        )
    module, names = open_module(vmfb), device_names(device)
    inside = contents(module)
    _refuse_deviceless(module, inside)
    scratch = Scratch(folder)
    where = scratch.path
    line = run_command(module, fn, *arrays, device=device, parameters=parameters, folder=where)
    name = _flag(line, "function")
    ran = run_tool(
        *line.argv,
        *(("--output=",) * _results(inside, name)),  # not printed: `run()` is for results
        f"--device_profiling_mode={profile_modes(names[0])}",
        f"--device_profiling_output={_PROFILE}",
        f"--device_replay_output={_LOG}",
        cwd=scratch.path,
        timeout=timeout,
        check=False,
    )
    log, notes = _whole(ran, scratch.path, module.origin, names)
    profile = read_profile(scratch.path / _PROFILE)
    labels = _labels(names)
    try:
        did = submitted(log, labels, _members(module, inside))
    except (KeyError, TypeError, ValueError) as error:
        why = f"what it says does not fit together ({error!r})"
        raise damaged(scratch.path / _LOG, why, log.command) from error
    return Record(
        function=name,
        devices=labels,
        dispatches=timed(did, profile, labels[0]),
        transfers=did.transfers,
        submissions=did.submissions,
        allocations=did.allocations,
        barriers=did.barriers,
        high_water_bytes=high_water(did, profile, labels[0]),
        calls=tuple(call.name for call in log.calls if call.phase == "call"),
        log=log,
        seconds=ran.seconds,
        commands=(ran.command, log.command, *profile.commands),
        notes=notes,
        folder=scratch.hold(scratch.path),
    )


def _refuse_deviceless(module: Module, inside: Contents) -> None:
    """The runtime logs what goes to `hal`: without it (or with `hal_inline`) there is nothing."""
    needs = [name for name, _ in inside.dependencies]
    if "hal" not in needs:
        raise RunError(
            f"{module.origin} hands no work to a device; modules that it needs: "
            f"{', '.join(needs) or 'none'}",
            expected="a module that needs 'hal', through which devices get their work",
            todo="give it work on tensors, and leave out --iree-execution-model=inline-…",
        )


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _flag(line: Command, name: str) -> str:
    start = f"--{name}="
    return next(word.removeprefix(start) for word in line.argv if word.startswith(start))


def _results(inside: Contents, name: str) -> int:
    return len(next(one for one in inside.functions if one.name == name).results)


def _whole(
    ran: Ran, folder: Path, origin: str, names: tuple[str, ...]
) -> tuple[Log, tuple[str, ...]]:
    """The log of a run that got to its end, and what is to be said about that end."""
    if ran.exit > 0:
        raise _refused(ran, origin, names)
    if ran.exit == 0:
        return read_replay(folder / _LOG), ()
    # With a log, 3.13.0 on Vulkan ends in SIGSEGV when all is done and the files are closed.
    try:
        log = read_replay(folder / _LOG)
    except RunError:
        raise failure(ran) from None
    if not log.complete:
        raise failure(ran)
    return log, (f"iree-run-module {exit_text(ran.exit)} after the end of its work",)


def _refused(ran: Ran, origin: str, names: tuple[str, ...]) -> RunError:
    said = RuntimeError(ran.stderr)
    # `…; creating driver for device 'cuda'; …`, `…; creating device 'vulkan://GPU-1'; …`
    unopened = [name for name in names if f"device '{name}'" in ran.stderr]
    if unopened:
        error = device_problem(said, unopened[0], [one.name for one in devices()])
    else:
        error = explain(said, origin=origin, devices=names)
    error.command = str(ran.command)
    return error


def _labels(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of devices; one that is named twice gets a number."""
    return tuple(
        name if names.count(name) == 1 else f"{name} #{names[:k].count(name)}"
        for k, name in enumerate(names)
    )


def _members(module: Module, inside: Contents) -> dict[str, str]:
    """Digest → name of each file in the module."""
    return {
        xxhash.xxh3_128_hexdigest(module.data[one.offset : one.offset + one.size]): one.name
        for one in inside.members
    }
