"""Every call that a run made to the HAL, read from the log that the runtime wrote itself.

In: a file of `iree-run-module --device_replay_output=FILE --device_profiling_mode=…` (3.13.0): the
profile marks in the log where the call begins and ends. Out: a `Log`. The calls are the rows of
`iree-dump-replay --format=jsonl`, which prints long parts as places in the file; bindings,
operands, semaphores and names of functions are read from these places.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import xxhash

from ..compile.toolchain import Command, run_tool
from ..errors import RunError

__all__ = ["Call", "Executable", "Log", "Ref", "damaged", "read_replay"]

_REF = struct.Struct("<QQQII")  # buffer, offset, length, slot, 0
_POINT = struct.Struct("<QQ")  # semaphore, value
# Metadata of an executable: a head of 32 bytes with the number of functions and the bytes of all
# names, then 32 bytes for each function, then the names, one after the other.
_HEAD = struct.Struct("<QQQQ")
_FUNCTION = struct.Struct("<QIIIHHHHI")  # …, constants, bindings, parameters, length of name, 0
_NAME = 7


@dataclass(frozen=True, slots=True)
class Ref:
    """A part of a buffer, as a call names it."""

    buffer: int
    "number of the object; 0: the one that is bound to the slot when the commands are executed"
    offset: int
    length: int
    "bytes"
    slot: int


@dataclass(frozen=True, slots=True)
class Call:
    """One call to the HAL."""

    number: int
    "0-based place in the log, counted with the objects that were made"
    name: str
    "e.g. `device.queue_execute`, `command_buffer.dispatch`"
    phase: str
    "`load`: the module; `before`: the inputs; `call`: the function; `after`: the results"
    device: int
    object: int
    "number of the object that was called"
    made: int
    "number of the object that came of it or was given to it, 0 if none"
    payload: Mapping[str, Any] = field(repr=False)
    "what iree-dump-replay prints of its arguments"
    refs: tuple[Ref, ...] | None = field(default=None, repr=False)
    "buffers that it binds"
    operands: tuple[int, ...] | None = field(default=None, repr=False)
    "32-bit constants that a dispatch gets"
    waits: tuple[tuple[int, int], ...] | None = field(default=None, repr=False)
    "semaphores and the values that they must have reached"
    signals: tuple[tuple[int, int], ...] | None = field(default=None, repr=False)
    "semaphores and the values that it gives them at its end"


@dataclass(frozen=True, slots=True)
class Executable:
    """One executable that the run loaded."""

    digest: str
    "xxh3-128 of its bytes, hex"
    functions: tuple[str, ...] | None
    "names by ordinal; None if they could not be read"


@dataclass(frozen=True, slots=True)
class Log:
    """All calls of one run."""

    calls: tuple[Call, ...]
    devices: tuple[int, ...]
    "object numbers of the devices, in the order in which they were named"
    profiled: tuple[int, ...]
    "those of them that wrote a profile"
    buffers: Mapping[int, str]
    "object number → the phase in which the buffer was made"
    executables: Mapping[int, Executable]
    complete: bool
    "the run got to its end"
    command: Command
    "that printed the log"


def read_replay(path: Path) -> Log:
    """Read a log.

    Raises:
        RunError: it is no log or a damaged one, or the profile's marks are not in it.
    """
    ran = run_tool("iree-dump-replay", "--format=jsonl", path.name, cwd=path.parent, check=False)
    if ran.exit != 0:
        raise damaged(path, ran.stderr, ran.command)
    try:
        rows = [json.loads(line) for line in ran.stdout.splitlines()]
        with path.open("rb") as file:
            return _log(rows, file, ran.command)
    except (KeyError, ValueError, TypeError, struct.error) as error:
        raise damaged(
            path, f"what it says does not fit together ({error!r})", ran.command
        ) from error


def damaged(path: Path, why: str, command: Command) -> RunError:
    """The error for a file of the runtime that cannot be read.

    Args:
        path: of the file.
        why: the tool's words; the place in its own source that they begin with is left out.
        command: that read it.
    """
    flag = "--device_replay_output" if path.suffix == ".ireereplay" else "--device_profiling_output"
    # `c/runtime/src/iree/hal/utils/profile_file.c:256: DATA_LOSS; profile file length extends …`
    first = (why.strip().splitlines() or ["the tool said nothing"])[0]
    _, status, words = first.partition("; ")
    return RunError(
        f"{path.name} is damaged or cut short: {words if status else first}",
        expected=f"a whole file, as iree-run-module {flag}= writes it",
        todo="record the call again; a run that was stopped leaves half a file",
        command=str(command),
    )


def _log(rows: list[dict[str, Any]], file: IO[bytes], command: Command) -> Log:
    calls: list[Call] = []
    devices: list[int] = []
    profiled: list[int] = []
    buffers: dict[int, str] = {}
    executables: dict[int, Executable] = {}
    phase, ended = "load", False
    for row in rows:
        if row["kind"] == "object":
            if row["object_type"] == "device":
                devices.append(row["object_id"])
            elif row["object_type"] == "buffer":
                buffers[row["object_id"]] = phase
        if row["kind"] != "operation":
            continue
        name, payload = row["operation"], row.get("payload") or {}
        if name == "device.profiling_begin":
            profiled.append(row["object_id"])
        phase = _phase(phase, name, payload.get("name"))
        ended = ended or (name == "replay.scope_end" and payload.get("name") == "deinit")
        calls.append(_call(row, phase, payload, file))
        if name == "executable_cache.prepare_executable":
            executables[row["related_object_id"]] = _executable(payload, file)
    if not profiled:
        raise RunError(
            "this log does not say where the call begins",
            expected="a log of a run that wrote a profile too, which marks the call in it",
            todo="run it with --device_profiling_mode= and --device_profiling_output= too",
            command=str(command),
        )
    return Log(tuple(calls), tuple(devices), tuple(profiled), buffers, executables, ended, command)


def _phase(now: str, name: str, scope: str | None) -> str:
    """The phase that a call stands in, from the one before it."""
    if name == "replay.scope_begin" and scope == "execute":
        return "before"
    if name == "device.profiling_begin":
        return "call"
    # Of several devices the first to end ends the call: the others do nothing any more.
    return "after" if name == "device.profiling_end" else now


def _call(row: Mapping[str, Any], phase: str, payload: Mapping[str, Any], file: IO[bytes]) -> Call:
    def part(name: str) -> bytes | None:
        return _part(payload.get(f"{name}_range"), file)

    bindings, constants = part("bindings"), part("constants")
    waits, signals = part("wait_semaphores"), part("signal_semaphores")
    return Call(
        number=row["sequence_ordinal"],
        name=row["operation"],
        phase=phase,
        device=row["device_id"],
        object=row["object_id"],
        made=row["related_object_id"],
        payload=payload,
        refs=None if bindings is None else tuple(_refs(bindings)),
        operands=None if constants is None else tuple(_words(constants)),
        waits=None if waits is None else tuple(_POINT.iter_unpack(waits)),
        signals=None if signals is None else tuple(_POINT.iter_unpack(signals)),
    )


def _part(place: Mapping[str, int] | None, file: IO[bytes]) -> bytes | None:
    """The bytes of a place in the file; None if there is none, or if they are compressed."""
    if place is None or place["compression_type"] != 0:
        return None
    file.seek(place["offset"])
    return file.read(place["length"])


def _refs(raw: bytes) -> Iterator[Ref]:
    for buffer, offset, length, slot, _ in _REF.iter_unpack(raw):
        yield Ref(buffer, offset, length, slot)


def _words(raw: bytes) -> Iterator[int]:
    for (word,) in struct.iter_unpack("<I", raw):
        yield word


def _executable(payload: Mapping[str, Any], file: IO[bytes]) -> Executable:
    data = _part(payload["data_range"], file) or b""
    names = _names(payload, _part(payload["metadata_range"], file) or b"")
    return Executable(xxhash.xxh3_128_hexdigest(data), names)


def _names(payload: Mapping[str, Any], raw: bytes) -> tuple[str, ...] | None:
    """Names of an executable's functions; None unless all counts and lengths agree."""
    number = payload["metadata_function_count"]
    start = _HEAD.size + number * _FUNCTION.size
    letters = payload["metadata_function_name_storage_length"]
    # The layout is not documented: a file that is laid out in another way has no names here.
    if (
        not number
        or len(raw) != start + letters
        or _HEAD.unpack_from(raw)[::2] != (number, letters)
    ):
        return None
    lengths = [row[_NAME] for row in _FUNCTION.iter_unpack(raw[_HEAD.size : start])]
    if sum(lengths) != letters:
        return None
    text, names = raw[-letters:], []
    for length in lengths:
        names.append(text[:length].decode("utf-8", "replace"))
        text = text[length:]
    return tuple(names)
