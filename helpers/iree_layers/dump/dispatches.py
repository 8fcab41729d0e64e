"""Which executable (dispatch) a snapshot of code generation belongs to.

Passes over executables run on ops that often have no name of their own: a `func.func`, a bare
`module`, a `hal.executable.variant`. What they hold is enough: every executable exports functions
(`hal.executable.export public @mlp_dispatch_0_matmul_4x16x8_f32`), and the same names are on the
functions inside. The order is used only where passes cannot have been interleaved.

Bodies are read no further than to the first such name: the layers of a 600 MB dump should cost
little more than finding its headers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .root import spelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .dump import Dump
    from .snapshot import Snapshot

__all__ = ["dispatches"]

# Executables, what they export, and functions, in the order of the text (3.13):
#   hal.executable private @mlp_dispatch_0 {                            (also flow., stream.)
#       hal.executable.export public @mlp_dispatch_0_matmul_4x16x8_f32 ordinal(0) layout(…
#         func.func @mlp_dispatch_0_matmul_4x16x8_f32() {               (also llvm., spirv., vm.)
_NAME = re.compile(
    rb"\b(?:(?P<owner>(?:flow|stream|hal)\.executable)|(?P<export>\w+\.executable\.export)"
    rb"|(?P<function>(?:func|llvm|spirv|vm|gpu|util)\.func))"
    rb'[ \t]+(?:[a-z_]+[ \t]+)*@(?P<name>"[^"\n]*"|[\w$.-]+)'
)
_OWNER, _FUNCTION = b".executable", b".func "
_EXECUTABLES = ("flow.executable", "stream.executable", "hal.executable")
_FUNCTIONS = ("func.func", "llvm.func", "spirv.func", "gpu.func", "vm.func")
_VARIANT = "hal.executable.variant"
_MODULES = ("module", "builtin.module", "vm.module")
_READS = (4 << 10, 64 << 10, 1 << 20)
"how far to read for the first name, the next one if it was not enough; then it is not known"


def dispatches(dump: Dump, whole: Sequence[int]) -> list[str | None]:
    """Executable of each snapshot, None where the snapshot is of the whole program or unknown.

    Args:
        dump: the dump.
        whole: indexes of snapshots of the whole program, to learn from which executables there
            are; executables that have a snapshot of their own need none.
    """
    finder = _Finder(dump, frozenset(whole))
    owners = [finder.owner(snapshot) for snapshot in dump.snapshots]
    if any(snapshot.header.op for snapshot in dump.snapshots):
        _fill_open(dump.snapshots, owners)
    return owners


def _is_inner(op: str | None) -> bool:
    """An op of code generation that does not say whose it is."""
    return op is not None and (op == _VARIANT or op.startswith(("spirv.", "vm.")) or op in _MODULES)


class _Finder:
    """Knows the executables seen so far and what they export."""

    def __init__(self, dump: Dump, whole: frozenset[int]) -> None:
        self._dump = dump
        self._whole = whole
        self._owner_of: dict[str, str] = {}
        self._known: dict[str, str | None] = {}

    def owner(self, snapshot: Snapshot) -> str | None:
        if snapshot.index in self._whole:
            self._learn(snapshot)
        if snapshot.header.op is not None:
            return self._by_anchor(snapshot)
        op, symbol = snapshot.op, snapshot.symbol
        if op in _EXECUTABLES:
            if snapshot.content not in self._known:
                self._learn(snapshot)
                self._known[snapshot.content] = symbol
            return symbol
        if op in _FUNCTIONS:
            return self._owner_of.get(symbol or "")
        if not _is_inner(op):
            return None
        if snapshot.content not in self._known:
            self._known[snapshot.content] = self._inside(snapshot)
        return self._known[snapshot.content]

    def _by_anchor(self, snapshot: Snapshot) -> str | None:
        """At module scope: the header names the op, the body is the whole program."""
        op, symbol = snapshot.header.op, snapshot.header.symbol
        if op in _EXECUTABLES:
            return symbol
        if op in _FUNCTIONS:
            return self._owner_of.get(symbol or "")
        if op != _VARIANT:
            return None
        if snapshot.content not in self._known:
            owners = self._learn(snapshot)
            self._known[snapshot.content] = owners[0] if len(owners) == 1 else None
        return self._known[snapshot.content]

    def _learn(self, snapshot: Snapshot) -> list[str]:
        """Note who exports what, for all executables in a body; return their names."""
        body = self._dump.source.read(snapshot.body, snapshot.end)
        owners: list[str] = []
        for match in _named(body, _OWNER):
            name = spelled(match["name"])
            if match["owner"]:
                owners.append(name)
            elif owners:
                self._owner_of[name] = owners[-1]
        return list(dict.fromkeys(owners))

    def _inside(self, snapshot: Snapshot) -> str | None:
        """Executable whose export or function comes first in a body; None for an outer module."""
        for length in _READS:
            end = min(snapshot.end, snapshot.body + length)
            text = self._dump.source.read(snapshot.body, end)
            for match in _named(text, _OWNER, _FUNCTION):
                if match.end() == len(text) and end < snapshot.end:
                    break  # the name may go on behind what was read
                if match["owner"] or match["function"] == b"util.func":
                    return None
                if found := self._owner_of.get(spelled(match["name"])):
                    return found
            if end == snapshot.end:
                return None
        return None


def _named(text: bytes, *needles: bytes) -> Iterator[re.Match[bytes]]:
    """Matches of `_NAME` in order. Searching for fixed texts first is ten times as fast."""
    places = {needle: text.find(needle) for needle in needles}
    while places := {needle: at for needle, at in places.items() if at >= 0}:
        needle, at = min(places.items(), key=lambda place: place[1])
        start = max(text.rfind(b" ", 0, at), text.rfind(b"\n", 0, at)) + 1
        if match := _NAME.match(text, start):
            yield match
        places[needle] = text.find(needle, at + len(needle))


def _fill_open(snapshots: Sequence[Snapshot], owners: list[str | None]) -> None:
    """At module scope, name the unnamed ops between a function and its `hal.executable`.

    The nested passes of one executable end in a snapshot of that executable, and no other
    executable starts in between unless its functions show up.
    """
    pending: list[int] = []
    opened: str | None = None
    for i, snapshot in enumerate(snapshots):
        op = snapshot.header.op
        if op in _FUNCTIONS and owners[i] is not None:
            if owners[i] != opened:
                pending.clear()
            opened = owners[i]
        elif op == "hal.executable":
            if opened is not None and owners[i] == opened:
                for k in pending:
                    owners[k] = opened
            opened = None
            pending.clear()
        elif not _is_inner(op):
            opened = None
            pending.clear()
        elif opened is not None and owners[i] is None:
            pending.append(i)
