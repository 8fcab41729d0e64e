"""What every pass changed: one `Change` per snapshot, against the IR that its pass started from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from .diff import diff
from .predecessor import before, dump_of, ir, origins

if TYPE_CHECKING:
    from ..dump.dump import Dump
    from ..dump.trace import Trace
    from .predecessor import How, Origin

__all__ = ["Change", "Changes", "changes"]

_MAX_LINES = 40
# The flag as `Trace.command` has it (3.13).
_AFTER_CHANGE = "--mlir-print-ir-after-change"


@dataclass(frozen=True, slots=True)
class Change:
    """What one pass did to the op it ran on."""

    index: int
    "snapshot"
    name: str
    "argument of the pass"
    before_index: int | None
    "snapshot that the IR before was taken from; None if the op is seen here first"
    how: How
    "how it was found: see `predecessor`"
    inner: int
    "snapshots of inner passes since; what they changed is not counted here"
    added: int
    "lines, after the rules of `normalise`"
    removed: int
    only_renumbering: bool
    "the text differs, and nothing remains of it after the rules"
    first_seen: bool
    "there is nothing to compare with"
    told: bool = False
    "first seen, and the compiler printed it because it changed: no line of it is counted"

    @property
    def changed(self) -> bool:
        """The pass changed the IR, in more than names, locations, aliases and payloads."""
        return bool(self.added or self.removed or self.told)

    def __str__(self) -> str:
        if self.told:
            what = "first seen, changed"
        elif self.changed:
            what = f"+{self.added} -{self.removed}"
        elif self.only_renumbering:
            what = "only renumbering"
        else:
            what = "first seen" if self.first_seen else "unchanged"
        inner = f" (after {self.inner} inner snapshots)" if self.inner else ""
        return f"{self.index} {self.name}: {what}{inner}"

    __repr__ = __str__


class Changes(tuple[Change, ...]):
    """All changes of a dump; `changes[i]` is that of snapshot `i`."""

    __slots__ = ()

    def changed(self) -> Iterator[Change]:
        """Those in which something changed."""
        return (change for change in self if change.changed)

    def __str__(self) -> str:
        found = list(self.changed())
        renumbered = sum(change.only_renumbering for change in self)
        lines = [
            f"{len(self)} snapshots: {len(found)} changed, {renumbered} only renumbered, "
            f"{len(self) - len(found) - renumbered} as before"
        ]
        lines += [str(change) for change in found]
        if len(lines) > _MAX_LINES:
            rest = len(lines) - _MAX_LINES + 1
            lines = [*lines[: _MAX_LINES - 1], f"… {rest} more changed snapshots"]
        return "\n".join(lines)

    __repr__ = __str__


_CHANGES: WeakKeyDictionary[Dump, Changes] = WeakKeyDictionary()
_TOLD: WeakKeyDictionary[Dump, Changes] = WeakKeyDictionary()
"the same for dumps of traces of changes only"


def changes(source: Dump | Trace) -> Changes:
    """What each pass changed, for all snapshots; kept for as long as the dump lives.

    Snapshots from before a pass (`IR Dump Before`) count as unchanged: what they show was done by
    a pass that is still at work, and belongs to the next snapshot of the op. So do those of a pass
    that failed, because the compiler prints them in another form.

    In a trace of changes only (`trace(…, changed=True)`) a snapshot without a predecessor counts as
    changed, because it was printed for that. The dump of such a trace alone does not know of it. As
    the whole trace has more to compare with, its counts can be a little different.
    """
    dump = dump_of(source)
    if _AFTER_CHANGE in getattr(source, "command", "").split():
        if dump not in _TOLD:
            _TOLD[dump] = Changes(_told(dump, change) for change in changes(dump))
        return _TOLD[dump]
    if dump not in _CHANGES:
        _CHANGES[dump] = Changes(
            _change(dump, index, origin) for index, origin in enumerate(origins(dump))
        )
    return _CHANGES[dump]


def _told(dump: Dump, change: Change) -> Change:
    if not change.first_seen or dump[change.index].header.when != "After":
        return change
    return replace(change, told=not dump[change.index].header.failed)


def _change(dump: Dump, index: int, origin: Origin) -> Change:
    snapshot = dump[index]
    added = removed = 0
    renumbering = False
    # A failed snapshot is printed in the generic form: nothing can be compared with it.
    comparable = snapshot.header.when != "Before" and not snapshot.header.failed
    if comparable and not origin.same and origin.how != "none":
        found = diff(before(dump, index).text, ir(dump, snapshot))
        added, removed, renumbering = found.added, found.removed, found.only_renumbering
        if renumbering and origin.packed is not None:
            # How aliases are spelled in a text that was put together is our doing.
            renumbering = any(count for rule, count in found.hidden.items() if rule != "alias")
    return Change(
        index=index,
        name=snapshot.name,
        before_index=origin.from_index,
        how=origin.how,
        inner=origin.inner,
        added=added,
        removed=removed,
        only_renumbering=renumbering,
        first_seen=origin.how == "none",
    )
