"""The IR that a pass started from, also where the dump does not show it as such.

    b = before(dump, 412)
    b.text, b.from_index, b.how

At module scope that is the snapshot before. At op scope a dump shows only the op that a pass ran
on, so the text is put together (`nest`): the newest snapshot of the same op, or the place of the
op inside the newest snapshot of an op around it, whichever is later.

**Whom a change belongs to.** A pass that runs others on the ops inside its own (pipeline
adaptors, fixed-point iterators, the passes that configure and translate executables) prints
after they have. Its `before` has their results put in already, so a diff shows what the pass did
itself, and every change belongs to one pass: the innermost that printed it. `inner` says how many
snapshots of inner passes lie between.

What cannot be seen: the half-done work of a pass that runs others (`inline` calls `canonicalize`,
`iree-convert-to-llvm` an adaptor) appears in the first inner snapshot, and counts there: in 4 of
1000 passes of 33 compiles (3.13). A dump that also has `IR Dump Before` snapshots shows that, and
then it is used. `tests/compare/test_predecessor.py` measures both against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import zstandard

from ..dump.dump import Dump
from ..dump.layers import CONST_EVAL
from .nest import Nest, Node, kind, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..dump.snapshot import Snapshot
    from ..dump.trace import Trace

__all__ = ["Before", "Origin", "before", "origins"]

How = Literal["printed before", "same op", "last kept", "inside enclosing op", "none"]


# Looked for even where no pass printed one: an inner module is known by its executable.
_ALWAYS = {"builtin.module", "flow.executable", "stream.executable", "hal.executable"}


@dataclass(frozen=True, slots=True)
class Before:
    """The IR that a pass started from."""

    text: str
    "'' if there is none"
    from_index: int | None
    "snapshot that the text, or most of it, was taken from"
    how: How
    """`printed before`: the dump has the IR before this pass; `last kept`: the newest snapshot of
    the same op, in a dump that is a part of one (`only`), so that hidden passes may have had a
    share in the difference; `none`: the op is seen first here"""
    inner: int
    "snapshots of ops inside this one since `from_index`, whose results are in the text"

    def __str__(self) -> str:
        if self.how == "none":
            return "nothing before: the op is seen for the first time"
        inner = f", with the results of {self.inner} inner snapshots" if self.inner else ""
        return (
            f"snapshot {self.from_index} ({self.how}{inner}): {self.text.count(chr(10)) + 1} lines"
        )

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the IR before a snapshot comes from, without holding its text."""

    from_index: int | None
    how: How
    inner: int
    same: bool
    "the text before is equal to that of the snapshot"
    packed: bytes | None
    "the text, compressed, where it is not simply that of snapshot `from_index`"


_ORIGINS: WeakKeyDictionary[Dump, tuple[Origin, ...]] = WeakKeyDictionary()


def before(source: Dump | Trace, index: int) -> Before:
    """The IR that the pass of snapshot `index` started from.

    The first call on a dump at op scope reads all of it (20 MB a second); later ones are cheap.
    """
    dump = dump_of(source)
    origin = origins(dump)[dump[index].index]
    if origin.packed is not None:
        text = zstandard.ZstdDecompressor().decompress(origin.packed).decode()
    else:
        text = "" if origin.from_index is None else ir(dump, dump[origin.from_index])
    return Before(text, origin.from_index, origin.how, origin.inner)


def origins(source: Dump | Trace) -> tuple[Origin, ...]:
    """`before` for all snapshots, without the texts; kept for as long as the dump lives."""
    dump = dump_of(source)
    if dump not in _ORIGINS:
        _ORIGINS[dump] = tuple(_origins(dump))
    return _ORIGINS[dump]


def dump_of(source: Dump | Trace) -> Dump:
    """The dump of a trace, or the dump itself."""
    return source if isinstance(source, Dump) else source.dump


def ir(dump: Dump, snapshot: Snapshot) -> str:
    """Text of a snapshot with plain line ends, without blank lines at the end."""
    return dump.text(snapshot).replace("\r\n", "\n").rstrip("\n")


def _origins(dump: Dump) -> Iterator[Origin]:
    kinds = frozenset(s.op for s in dump if s.op) | _ALWAYS
    main = _Run(dump, kinds)
    nested: _Run | None = None
    for snapshot in dump:
        if snapshot.layer == CONST_EVAL:
            nested = nested or _Run(dump, kinds)
            yield nested.step(snapshot)
        else:
            nested = None
            yield main.step(snapshot)


class _Run:
    """One compiler run: what was printed last, for every op."""

    def __init__(self, dump: Dump, kinds: frozenset[str]) -> None:
        self._dump = dump
        self._nest = Nest(kinds)
        self._whole: Snapshot | None = None
        "the last snapshot at module scope"
        self._latest: Snapshot | None = None
        "the last snapshot at op scope"
        self._passes: list[str] = []
        "passes since `nest.last` became the op without symbol that it is"
        self._same: How = "last kept" if dump.hidden else "same op"
        self._packer = zstandard.ZstdCompressor(level=1)

    def step(self, snapshot: Snapshot) -> Origin:
        """Take the next snapshot in, say what was there before."""
        if snapshot.header.op is not None:
            return self._step_whole(snapshot)
        last, self._latest = self._latest, snapshot
        paired = last is not None and _printed_before(last, snapshot)
        node = self._nest.last if paired else self._locate(snapshot)
        if node is not None and node.content == snapshot.content and not node.inner:
            origin = self._origin(snapshot, node, same=True, packed=None)
            node.index = snapshot.index
            self._nest.touch(node)
            return origin
        text = ir(self._dump, snapshot)
        old = None if node is None else node.text()
        if node is None or old is None:
            origin = Origin(None, "none", 0, same=False, packed=None)
        else:
            clean = node.index is not None and not node.inner
            packed = None if clean else self._packer.compress(old.encode())
            origin = self._origin(snapshot, node, same=old == text, packed=packed)
        new = parse(text, self._nest.kinds)
        if new is not None:
            new.index, new.content, new.dispatch = (
                snapshot.index,
                snapshot.content,
                snapshot.dispatch,
            )
            self._nest.replace(node, new)
        return origin

    def _step_whole(self, snapshot: Snapshot) -> Origin:
        last, self._whole = self._whole, snapshot
        if last is None:
            return Origin(None, "none", 0, same=False, packed=None)
        how: How = "printed before" if _printed_before(last, snapshot) else self._same
        same = last.content == snapshot.content
        return Origin(last.index, how, 0, same=same, packed=None)

    def _origin(
        self, snapshot: Snapshot, node: Node, *, same: bool, packed: bytes | None
    ) -> Origin:
        source = node.source()
        how: How = "inside enclosing op"
        if node.index is not None:
            printed = _printed_before(self._dump[node.index], snapshot) and not node.inner
            how = "printed before" if printed else self._same
        return Origin(source, how, node.inner, same=same, packed=packed)

    def _locate(self, snapshot: Snapshot) -> Node | None:
        """The op of a snapshot among those that are known."""
        if snapshot.op is None:
            return None
        root = self._nest.root
        found = [
            node
            for node in self._nest.find(snapshot.op, snapshot.symbol)
            if _fits(node, snapshot, root)
        ]
        if not found and kind(snapshot.op) == "module" and snapshot.dispatch is None:
            return root  # the program's module was given a name
        if len(found) > 1:
            equal = [node for node in found if node.content == snapshot.content]
            if len(equal) == 1 and not equal[0].inner:
                found = equal
            elif snapshot.symbol is None and not any(node.symbols() for node in found):
                return self._next(snapshot, found)
            else:
                new = parse(ir(self._dump, snapshot), self._nest.kinds)
                names = new.symbols() if new else frozenset()
                found.sort(
                    key=lambda node: (-len(node.symbols() & names), len(node.symbols() ^ names))
                )
        return found[0] if found else None

    def _next(self, snapshot: Snapshot, found: Sequence[Node]) -> Node:
        """Which of several ops without symbols: a pipeline goes through them in order."""
        last = self._nest.last
        at = next((k for k, node in enumerate(found) if node is last), None)
        if at is None:
            self._passes = [snapshot.name]
            return _after(last, found, self._nest.root)
        text = ir(self._dump, snapshot)
        again = snapshot.name == self._passes[0] if self._passes else False
        following = found[at + 1] if at + 1 < len(found) else None
        if following is not None and (
            (again and found[at].text() != text) or following.text() == text != found[at].text()
        ):
            self._passes = [snapshot.name]
            return following
        self._passes.append(snapshot.name)
        return found[at]


def _fits(node: Node, snapshot: Snapshot, root: Node | None) -> bool:
    """Whether an op can be that of the snapshot, as far as executables go."""
    if node is root:
        return snapshot.dispatch is None
    owner = node.owner()
    return snapshot.dispatch is None or owner is None or owner == snapshot.dispatch


def _printed_before(last: Snapshot, snapshot: Snapshot) -> bool:
    """Whether two neighbours are the IR before and after one pass."""
    return (
        last.header.when == "Before"
        and snapshot.header.when == "After"
        and last.header.argument == snapshot.header.argument
        and (last.op, last.symbol) == (snapshot.op, snapshot.symbol)
    )


def _after(last: Node | None, found: Sequence[Node], root: Node | None) -> Node:
    """The first of some ops that comes after another one in the text."""
    seen = False
    for node in root.walk() if root else ():
        if node is last:
            seen = True
        elif seen and any(node is each for each in found):
            return node
    return found[0]
