"""From the ops of one host function to the values of a schedule.

`stream.cmd.execute` holds the commands of one submission, `stream.cmd.concurrent` and
`stream.cmd.serial` order them; operands are in groups, see `live.segments`. Order of the groups as
in StreamOps.td (3.13.0).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .live import attribute, owner, segments, short, whole
from .work import Access, Resource, Timepoint, Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .work import How

__all__ = ["Recording", "recorded"]

# Groups of operands: resource, its size, offset, length (a copy has no length at its source).
_ONE = (0, 2, 3)
_HOW: dict[str, How] = {"1": "ro", "2": "wo", "3": "rw"}
_PLAIN: dict[str, How] = {"fill": "wo", "flush": "ro", "invalidate": "ro", "discard": "wo"}


@dataclass(slots=True)
class Recording:
    """What has been read so far."""

    works: list[Work] = field(default_factory=list)
    timepoints: list[Timepoint] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    signals: list[str] = field(default_factory=list)
    names: dict[Any, str] = field(default_factory=dict)
    "resource of each value"
    known: dict[str, Resource] = field(default_factory=dict)
    ready: dict[str, int] = field(default_factory=dict)
    "step at which each timepoint is reached, at the earliest"
    host: int = 0
    "step that the host has waited for"
    executes: int = 0

    def after(self, names: Iterable[str]) -> int:
        """Step at which all of these timepoints are reached.

        One that comes out of control flow is taken to follow all that stands before it.
        """
        end = max((work.step for work in self.works), default=-1) + 1
        return max((self.ready.get(name, end) for name in names), default=0)

    @property
    def resources(self) -> list[Resource]:
        """Memory that commands touch, in order of first use."""
        return list(self.known.values())


def recorded(function: Any) -> Recording:
    """Everything that one function of the host gives the device to do."""
    from iree.compiler import ir

    found = Recording()
    state = ir.AsmState(function)
    for op in _hosts(function):
        if op.name == "stream.cmd.execute":
            _execute(found, op, state)
        else:
            _on_host(found, op, state)
    return found


def _hosts(op: Any) -> Iterator[Any]:
    """Ops that the host runs: those in bodies of control flow, not those of a submission."""
    for region in op.regions:
        for block in region:
            for inner in block:
                yield inner.operation
                if inner.operation.name != "stream.cmd.execute":
                    yield from _hosts(inner.operation)


def _on_host(found: Recording, op: Any, state: Any) -> None:
    awaits = [v.get_name(state) for v in op.operands if _is_timepoint(v)]
    if op.name == "stream.timepoint.await":
        found.waits += awaits
        found.host = found.after(awaits)
        # Its results are the resources that it was given, now ready.
        for result, value in zip(op.results, segments(op)[0], strict=False):
            found.names[result] = _name(found, value, None)
        return
    if op.name == "stream.timepoint.chain_external":
        found.signals += awaits
    for result in op.results:
        if _is_timepoint(result):
            name = result.get_name(state)
            step = found.after(awaits)
            found.ready[name] = step
            what = op.name.rpartition(".")[2]
            found.timepoints.append(Timepoint(name, what, tuple(awaits), step))


def _execute(found: Recording, op: Any, state: Any) -> None:
    values, sizes, awaits = segments(op)
    inner = {}
    for argument, value, size in zip(op.regions[0].blocks[0].arguments, values, sizes, strict=True):
        inner[argument] = _name(found, value, whole(size))
    waits = tuple(value.get_name(state) for value in awaits)
    start = max(found.host, found.after(waits))
    affinity = attribute(op, "affinity").partition("<")[2].removesuffix(">")
    reader = _Reader(found, found.executes, affinity, inner)
    end = start + reader.block(op.regions[0].blocks[0], start)
    name = op.results[0].get_name(state)
    found.timepoints.append(Timepoint(name, f"execute {found.executes}", waits, end))
    found.ready[name] = end
    found.executes += 1


@dataclass(slots=True)
class _Reader:
    """Reads the commands of one submission."""

    found: Recording
    execute: int
    affinity: str
    inner: dict[Any, str]
    "resource of each argument of the body"

    def block(self, block: Any, start: int) -> int:
        """Commands one after the other; gives the number of steps."""
        length = 0
        for each in block:
            length += self.command(each.operation, start + length)
        return length

    def command(self, op: Any, start: int) -> int:
        if op.name == "stream.yield":
            return 0
        if op.name == "stream.cmd.serial":
            return self.block(op.regions[0].blocks[0], start)
        if op.name == "stream.cmd.concurrent":
            inside = [self.command(each.operation, start) for each in op.regions[0].blocks[0]]
            return max(inside, default=0)
        what = op.name.removeprefix("stream.cmd.")
        name = ""
        if what == "dispatch":
            # `[@mlp_dispatch_0::@mlp_dispatch_0_matmul_4x16x8_f32]`
            name = short(str(op.attributes["entry_points"]).strip("[]").rpartition("@")[2])
        accesses = tuple(self._accesses(op, what))
        number = len(self.found.works)
        self.found.works.append(
            Work(number, what, name, start, self.execute, self.affinity, accesses)
        )
        return 1

    def _accesses(self, op: Any, what: str) -> Iterator[Access]:
        if what == "dispatch":
            _, _, values, _, offsets, lengths = segments(op)
            # `[1 : i32, 2 : i32]`: bits for reading and writing, and 4 for memory to discard
            bits = [str(int(bit) & 3) for bit in op.attributes["resource_accesses"]]
            for value, offset, length, bit in zip(values, offsets, lengths, bits, strict=True):
                yield self._access(value, _HOW.get(bit, "rw"), offset, length)
        elif what == "copy":
            source, _, at, target, _, to, length = list(op.operands)
            yield self._access(source, "ro", at, length)
            yield self._access(target, "wo", to, length)
        elif what in _PLAIN:
            value, offset, length = (op.operands[k] for k in _ONE)
            yield self._access(value, _PLAIN[what], offset, length)

    def _access(self, value: Any, how: How, offset: Any, length: Any) -> Access:
        return Access(self.inner[value], how, whole(offset), whole(length))


def _name(found: Recording, value: Any, size: int | None) -> str:
    """Name of the resource that a value is; a new one if it was not met before."""
    if value in found.names:
        return found.names[value]
    # `!stream.resource<transient>`
    lifetime = str(value.type).partition("<")[2].removesuffix(">")
    number = sum(each.lifetime == lifetime for each in found.known.values())
    name = f"{lifetime} {number}"
    made = owner(value)
    origin = "argument" if made is None else made.name.rpartition(".")[2]
    if made is not None and "global" in made.attributes:
        origin = f"@{short(made.attributes['global'])}"
    found.names[value] = name
    found.known[name] = Resource(name, lifetime, size, origin)
    return name


def _is_timepoint(value: Any) -> bool:
    return str(value.type) == "!stream.timepoint"
