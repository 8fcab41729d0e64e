"""The schedule: what the device is told to do, in which order, and with which memory.

In: the program at the end of `stream`, before bindings are fused, while every access still says
where it begins and how long it is. Out: steps, resources, the lives of the slices in them, and the
timepoints that order them. Rests on the ops `stream.cmd.*`, `stream.resource.*` and
`stream.timepoint.*`, and on the pass `iree-stream-fuse-dispatch-bindings` (3.13.0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..compile.target import Target
from ..dump.trace import Trace, trace
from ..errors import DumpError
from .live import functions, parsed, walk
from .lives import lives
from .predecessor import before
from .recording import recorded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .work import Life, Resource, Timepoint, Work

__all__ = ["Schedule", "schedule", "stream_text"]

_FUSE = "iree-stream-fuse-dispatch-bindings"


@dataclass(frozen=True)
class Schedule:
    """What one function of the host gives the device to do."""

    function: str
    works: tuple[Work, ...]
    resources: tuple[Resource, ...]
    lives: tuple[Life, ...]
    timepoints: tuple[Timepoint, ...]
    waits: tuple[str, ...] = ()
    "timepoints that the host itself waits for"
    signals: tuple[str, ...] = ()
    "timepoints that a fence of the caller is told of"
    others: tuple[str, ...] = ()
    "functions and initialisers that have a schedule too"

    @property
    def steps(self) -> int:
        """Steps from begin to end: the length of the longest chain of commands."""
        return max((work.step for work in self.works), default=-1) + 1

    @property
    def dispatches(self) -> tuple[Work, ...]:
        """Commands that launch a kernel."""
        return tuple(work for work in self.works if work.op == "dispatch")

    @property
    def concurrent(self) -> tuple[tuple[Work, ...], ...]:
        """Groups of two or more commands that may run at the same time."""
        rows = [tuple(w for w in self.works if w.step == step) for step in range(self.steps)]
        return tuple(row for row in rows if len(row) > 1)

    @property
    def transient(self) -> int | None:
        """Bytes that are allocated for values in between; None if that is known only later."""
        return _sum(r.size for r in self.resources if r.lifetime == "transient")

    @property
    def unpacked(self) -> int:
        """Bytes that these values would need if none of them shared memory."""
        kinds = {resource.name: resource.lifetime for resource in self.resources}
        return sum(life.length for life in self.lives if kinds[life.resource] == "transient")

    def __repr__(self) -> str:
        size = "?" if self.transient is None else f"{self.transient:,}"
        return (
            f"Schedule({self.function}: {len(self.works)} commands in {self.steps} steps, "
            f"{size} transient bytes)"
        )


def schedule(
    source: object, *inputs: Any, target: Target = Target.TEXT, function: str | None = None
) -> Schedule:
    """The schedule of a function of a program, of a trace, or of IR with `stream.cmd` ops.

    Args:
        source: a `Trace`, MLIR text of that point, or what `program` takes (it is compiled).
        inputs: example inputs, for a torch module or a JAX function.
        target: for whom to compile, if it has to be.
        function: name of a function, or `initializer 0`; default: the first that has a schedule.

    Raises:
        DumpError: nothing is scheduled there, or the trace does not reach that point.
        CompileError: the program does not compile.
    """
    module = parsed(stream_text(source, *inputs, target=target), "the IR of stream")
    found = dict(functions(module))
    busy = [name for name, op in found.items() if any(_executes(op))]
    if function is None:
        main = [name for name in busy if not name.startswith("initializer")]
        function = next(iter(main or busy), None)
    if function is None or function not in busy:
        what = "nothing is scheduled" if function in (None, *found) else "there is no function"
        raise DumpError(
            f"{what} in {function or 'this program'}",
            expected=f"one of {', '.join(busy)}" if busy else "a program that computes on tensors",
        )
    work = recorded(found[function])
    return Schedule(
        function,
        works=tuple(work.works),
        resources=tuple(work.resources),
        lives=tuple(lives(work.works, work.resources)),
        timepoints=tuple(work.timepoints),
        waits=tuple(work.waits),
        signals=tuple(work.signals),
        others=tuple(name for name in busy if name != function),
    )


def stream_text(source: object, *inputs: Any, target: Target = Target.TEXT) -> str:
    """The whole program just before bindings are fused, long constants left out."""
    if isinstance(source, str) and "stream.cmd." in source:
        return source
    if not isinstance(source, Trace):
        source = trace(source, target, *inputs, layer="stream", files=False)
    # Constants are computed by a compile in the compile, which has this pass too.
    fused = next((s for s in source if s.name == _FUSE and s.layer == "stream"), None)
    if fused is None:
        raise DumpError(
            f"{source!r} has no snapshot of {_FUSE}", expected="a trace with all of stream"
        )
    return before(source, fused.index).text


def _executes(op: Any) -> Iterator[Any]:
    return (inner for inner in walk(op) if inner.name == "stream.cmd.execute")


def _sum(sizes: Iterable[int | None]) -> int | None:
    known = list(sizes)
    return None if None in known else sum(size for size in known if size is not None)
