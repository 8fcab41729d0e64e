"""One walk through a log: which commands the call executed, in order, and on which memory.

In: a `Log`. Out: a `Submitted`. A command buffer is recorded once, when the module is loaded or in
the call; its commands count here each time that it is executed, in a loop again and again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .replay import Call, Log, Ref
from .submissions import Allocation, Dispatch, Slice, Submission, Submitted, Transfer

__all__ = ["submitted"]

_ALL = (1 << 64) - 1
"a length that means: to the end of the buffer"
_TRANSFERS = {
    "command_buffer.copy_buffer": "copy",
    "command_buffer.fill_buffer": "fill",
    "command_buffer.update_buffer": "update",
    "device.queue_copy": "copy",
    "device.queue_fill": "fill",
    "device.queue_update": "update",
}
_NAMES = {
    "load": "loaded",  # constants and variables of the module
    "before": "given",  # inputs
    "call": "allocation",
    "after": "result",
}


def submitted(log: Log, devices: Sequence[str], members: Mapping[str, str]) -> Submitted:
    """Follow the log through the call.

    Args:
        log: of a run.
        devices: names of the devices, in the log's order.
        members: digest of an executable's bytes → its file in the .vmfb.
    """
    return _Walk(log, devices, members).walk()


class _Walk:
    """The state of one walk through the calls."""

    def __init__(self, log: Log, devices: Sequence[str], members: Mapping[str, str]) -> None:
        self._log = log
        named = devices if len(devices) == len(log.devices) else ()
        self._devices = dict(zip(log.devices, named, strict=False))
        self._members = members
        self._names = _buffer_names(log)
        self._dispatches: list[Dispatch] = []
        self._transfers: list[Transfer] = []
        self._submissions: list[Submission] = []
        self._allocations: dict[int, Allocation] = {}
        self._signals: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._barriers = 0

    def walk(self) -> Submitted:
        recorded: dict[int, list[Call]] = defaultdict(list)
        for call in self._log.calls:
            owner, _, _ = call.name.partition(".")
            if owner == "command_buffer" and not call.name.endswith((".begin", ".end", "_group")):
                recorded[call.object].append(call)
            if call.phase != "call":
                continue
            if call.name.startswith("device.queue_") and call.name != "device.queue_flush":
                self._submit(call, recorded)
            elif call.name in ("allocator.allocate_buffer", "allocator.import_buffer"):
                self._allocate(call, None)
        return Submitted(
            tuple(self._dispatches),
            tuple(self._transfers),
            tuple(self._submissions),
            tuple(self._allocations.values()),
            self._barriers,
        )

    def _submit(self, call: Call, recorded: Mapping[int, Sequence[Call]]) -> None:
        number = len(self._submissions)
        op = call.name.removeprefix("device.queue_")
        buffer = call.payload.get("command_buffer_id", 0)
        if op == "execute" and not buffer:
            op = "barrier"
        after = self._after(call)
        self._submissions.append(Submission(number, op, self._device(call), after))
        for semaphore, value in call.signals or ():
            self._signals[semaphore].append((value, number))
        if op == "alloca":
            self._allocate(call, number)
        elif op == "dealloca":
            self._free(call, number)
        elif op == "execute":
            for place, command in enumerate(recorded[buffer]):
                self._command(command, place, call.refs or ())
        else:
            self._command(call, None, ())

    def _after(self, call: Call) -> tuple[int, ...] | None:
        if call.waits is None:
            return None
        found = set()
        for semaphore, value in call.waits:
            reached = [number for given, number in self._signals[semaphore] if given >= value]
            found.update(reached[:1])
        return tuple(sorted(found))

    def _command(self, call: Call, place: int | None, table: Sequence[Ref]) -> None:
        """One command of the submission that was added last."""
        if call.name == "command_buffer.execution_barrier":
            self._barriers += 1
        elif call.name.endswith("dispatch"):
            self._dispatches.append(self._dispatch(call, place, table))
        elif call.name in _TRANSFERS:
            source, target = (
                self._slice(_ref(call.payload.get(key) or call.payload.get(f"{key}_ref")), table)
                for key in ("source", "target")
            )
            now = self._submissions[-1]
            self._transfers.append(
                Transfer(
                    *(self._order, self._barriers, now.number, now.device),
                    *(_TRANSFERS[call.name], source, target),
                )
            )

    def _dispatch(self, call: Call, place: int | None, table: Sequence[Ref]) -> Dispatch:
        now = self._submissions[-1]
        executable = self._log.executables.get(call.payload["executable_id"])
        functions = (executable.functions if executable else None) or ()
        ordinal = call.payload["function_ordinal"]
        return Dispatch(
            order=self._order,
            group=self._barriers,
            submission=now.number,
            command=place,
            device=now.device,
            name=functions[ordinal] if ordinal < len(functions) else None,
            executable=self._members.get(executable.digest) if executable else None,
            workgroup_count=_workgroups(call.payload),
            bindings=self._bindings(call, table),
            operands=call.operands,
        )

    @property
    def _order(self) -> int:
        return len(self._dispatches) + len(self._transfers)

    def _bindings(self, call: Call, table: Sequence[Ref]) -> tuple[Slice, ...] | None:
        if call.refs is None:
            return None
        slices = [self._slice(one, table) for one in call.refs]
        known = tuple(one for one in slices if one is not None)
        return known if len(known) == len(slices) else None

    def _slice(self, ref: Ref | None, table: Sequence[Ref]) -> Slice | None:
        """The part of a real buffer that a command uses, None if the log does not say it."""
        if ref is None:
            return None
        if not ref.buffer:
            if ref.slot >= len(table):
                return None
            base = table[ref.slot]
            rest = base.length - ref.offset if base.length != _ALL else _ALL
            length = min(ref.length, rest)
            ref = Ref(base.buffer, base.offset + ref.offset, length, 0)
        name = self._names.get(ref.buffer)
        return Slice(name, ref.offset, ref.length) if name and ref.length != _ALL else None

    def _allocate(self, call: Call, number: int | None) -> None:
        name = self._names.get(call.made)
        if name:  # else it failed, and nothing was made
            size = call.payload["allocation_size"]
            self._allocations[call.made] = Allocation(name, size, self._device(call), number, None)

    def _free(self, call: Call, number: int) -> None:
        buffer = call.payload["buffer_ref"]["buffer_id"]
        if buffer in self._allocations:
            self._allocations[buffer] = replace(self._allocations[buffer], freed=number)

    def _device(self, call: Call) -> str:
        return self._devices.get(call.device, f"device {call.device}")


def _buffer_names(log: Log) -> dict[int, str]:
    """Object number → `given 0`, `loaded 3`, …: numbered in the order in which they were made."""
    return {buffer: f"{_NAMES[phase]} {k}" for buffer, phase, k in _numbered(log.buffers)}


def _numbered(buffers: Mapping[int, str]) -> Iterator[tuple[int, str, int]]:
    counts: dict[str, int] = defaultdict(int)
    for buffer, phase in buffers.items():
        yield buffer, phase, counts[phase]
        counts[phase] += 1


def _ref(said: Mapping[str, int] | None) -> Ref | None:
    if said is None:
        return None
    return Ref(said["buffer_id"], said["offset"], said["length"], said["buffer_slot"])


def _workgroups(payload: Mapping[str, Any]) -> tuple[int, int, int] | None:
    place = payload["workgroup_count_ref"]
    if place["buffer_id"] or place["length"]:
        return None
    x, y, z = payload["workgroup_count"]
    return x, y, z
