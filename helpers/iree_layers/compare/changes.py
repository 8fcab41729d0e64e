"""What every pass changed: one `Change` per snapshot, against the IR that its pass started from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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

    @property
    def changed(self) -> bool:
        """The pass changed the IR, in more than names, locations, aliases and payloads."""
        return bool(self.added or self.removed)

    def __str__(self) -> str:
        if self.changed:
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


def changes(source: Dump | Trace) -> Changes:
    """What each pass changed, for all snapshots; kept for as long as the dump lives.

    Snapshots from before a pass (`IR Dump Before`) count as unchanged: what they show was done by
    a pass that is still at work, and belongs to the next snapshot of the op. So do those of a pass
    that failed, because the compiler prints them in another form.
    """
    dump = dump_of(source)
    if dump not in _CHANGES:
        _CHANGES[dump] = Changes(
            _change(dump, index, origin) for index, origin in enumerate(origins(dump))
        )
    return _CHANGES[dump]


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
