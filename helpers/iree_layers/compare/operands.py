"""Which aligned lines use other values than before, although they read the same without names.

Blanking value names hides real changes: `arith.addf %3, %4` against `arith.addf %3, %9`. So the
names of two aligned lines are paired where a value is defined, and every use must fit its pair.
Names of values whose definitions are not aligned (one was removed, one added) are paired at
their first use: an op that was replaced does not make all its users changed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from .blobs import without_strings
from .normalise import BLOCK, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["changed_operands"]

# A name, and what shows that the value is defined there (3.13):
#   %0:2 = scf.for %arg3 = %c0 to %c8 …          ` =` after it, also inside a line
#   ^bb0(%in: f32, %out: f32):  · util.func public @f(%arg0: tensor<4xf32>)      `:` right after
#   %values, %indices = iree_linalg_ext.topk …   left of the first ` = `
_TOKEN = re.compile(r"(%[\w$.-]+|\^bb\d+)(?::\d+)?( = |: )?")
# scf.forall (%arg3, %arg4) in (4, 8) · scf.parallel (%arg0) = (%c0) · affine.parallel (%i) = (0)
_LOOP = re.compile(r"(?:forall|parallel) \(([^)]*)\)")
# A line that opens a scope of names of its own:
#   util.func public @mlp(%input0: …) {   ·   util.initializer {   ·   hal.executable private @d {
# or that only gives names to arguments:
#   vm.import private @hal.buffer.assert(%buffer : !vm.ref<!hal.buffer>, …
# and one that only looks so, because it refers to a symbol:
#   stream.cmd.dispatch @mlp_dispatch_0::@embedded_elf_x86_64::@mlp_dispatch_0_matmul {
_SCOPE = re.compile(
    r"\s*[\w.]+\.(?:func|initializer|import)\b"
    r"|\s*(?![\w.]+\.(?:dispatch|call) )[\w.]+ (?:\w+ )*"
    r'@(?:"(?:[^"\\]|\\.)*"|[\w$.-]+)(?!::|[\w$.-]).*\{$'
)

_Token = tuple[str, bool]


@lru_cache(maxsize=1 << 16)
def _tokens(line: str) -> tuple[_Token, ...]:
    """Names in a line, in order, each with whether it is defined there."""
    if '"' in line:
        line = without_strings(line)
    found = _TOKEN.findall(line)
    start = line.lstrip()
    results = 0
    if start.startswith("%"):
        results = line.partition(" = ")[0].count("%")
    elif start.startswith("^"):
        results = 1
    loop = _LOOP.search(line) if "forall" in line or "parallel" in line else None
    bound = VALUE.findall(loop[1]) if loop else ()
    return tuple(
        [
            (name, at < results or bool(mark) or name in bound)
            for at, (name, mark) in enumerate(found)
        ]
    )


def _opens_scope(line: str) -> bool:
    # Nearly all lines are told apart by their last character.
    return (line.endswith("{") or "import" in line) and _SCOPE.match(line) is not None


class _Names:
    """Pairs of names that stand for the same value on both sides."""

    def __init__(self) -> None:
        self.forward: dict[str, str] = {}
        self.backward: dict[str, str] = {}
        self.renamed: set[str] = set()
        "names, of either side, whose partner has another name"
        self._waiting: dict[str, tuple[str, list[int]]] = {}
        "pairs that rest on uses alone, with the places of those"

    def same(self, tokens: Iterable[_Token], place: int) -> None:
        """Names in a line that is equal on both sides, where nothing else is known."""
        for name, defined in tokens:
            if defined and name not in self.renamed:
                self.define(name, name)
            elif not self.known(name, name):
                # Used before it is defined, as labels of blocks are.
                self.assume(name, name, place)
            else:
                self.repeat(name, place)

    def define(self, x: str, y: str) -> list[int]:
        """Pair two definitions; returns places of earlier uses that do not fit."""
        wrong: list[int] = []
        waiting = self._waiting.pop(x, None)
        if waiting and waiting[0] != y:
            wrong = waiting[1]
        old_y, old_x = self.forward.get(x), self.backward.get(y)
        if old_y is not None and old_y != y:
            self.backward.pop(old_y, None)
        if old_x is not None and old_x != x:
            self.forward.pop(old_x, None)
        self.forward[x], self.backward[y] = y, x
        if x != y:
            self.renamed.update((x, y))
        else:
            self.renamed.discard(x)
        return wrong

    def known(self, x: str, y: str) -> bool:
        return x in self.forward or y in self.backward

    def fits(self, x: str, y: str) -> bool:
        return self.forward.get(x) == y and self.backward.get(y) == x

    def assume(self, x: str, y: str, place: int) -> None:
        """Pair two names at a use."""
        self.define(x, y)
        self._waiting[x] = (y, [place])

    def repeat(self, x: str, place: int) -> None:
        """Note another use of a pair that rests on uses alone."""
        if x in self._waiting:
            self._waiting[x][1].append(place)


def changed_operands(
    before: Sequence[str], after: Sequence[str], unequal: Sequence[int]
) -> list[int]:
    """Aligned lines that are not the same op on the same values, by their position.

    Args:
        before: the aligned lines of one side; all of them, so that definitions are seen.
        after: those of the other side; equal to `before` when names are blanked.
        unequal: positions at which the two differ, in order.
    """
    wrong: list[int] = []
    end = 0
    for position in unequal:
        # Names mean something within a function; what lies between two of them is looked at once.
        if position < end:
            continue
        start, end = _scope(before, position)
        left, right = before[start:end], after[start:end]
        if not _is_renaming(left, right):
            wrong += [start + k for k in _Check(left, right).run()]
    return wrong


def _scope(lines: Sequence[str], position: int) -> tuple[int, int]:
    """The range of lines around a position in which a name has one meaning."""
    start = position
    while start > 0 and not _opens_scope(lines[start]):
        start -= 1
    end = position + 1
    while end < len(lines) and not _opens_scope(lines[end]):
        end += 1
    return start, end


def _is_renaming(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether one renaming explains all differences: true for most scopes, and quick to see."""
    old, new = _all_names(before), _all_names(after)
    pairs = set(zip(old, new, strict=False))
    return len(old) == len(new) and len(pairs) == len(set(old)) == len(set(new))


def _all_names(lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines)
    names = VALUE.findall(text)
    return names + BLOCK.findall(text) if "^bb" in text else names


class _Check:
    """Walks over the aligned lines of a scope and collects those with other operands."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        self._names = _Names()
        self._wrong: set[int] = set()
        self._before, self._after = before, after
        self._equal: list[int] = []
        "places that were passed over: equal lines, with nothing renamed in them"

    def run(self) -> list[int]:
        """Positions of lines with other operands, in order."""
        for place, (old, new) in enumerate(zip(self._before, self._after, strict=True)):
            renamed = self._names.renamed
            if old == new and (
                not renamed or renamed.isdisjoint([name for name, _ in _tokens(old)])
            ):
                self._equal.append(place)
            else:
                self._line(old, new, place)
        return sorted(self._wrong)

    def _line(self, old: str, new: str, place: int) -> None:
        pairs = list(zip(_tokens(old), _tokens(new), strict=False))
        # Uses first: an op cannot use its own result, and `%0 = f %0` may define a name anew.
        for (x, _), (y, defined) in pairs:
            if not defined and not self._used(x, y, place):
                self._wrong.add(place)
        for (x, _), (y, defined) in pairs:
            if defined:
                if x != y:
                    self._learn()
                self._wrong.update(self._names.define(x, y))

    def _used(self, x: str, y: str, place: int) -> bool:
        names = self._names
        if names.fits(x, y):
            names.repeat(x, place)
            return True
        if x != y:
            self._learn()
        if names.known(x, y):
            return False
        names.assume(x, y, place)
        return True

    def _learn(self) -> None:
        """Names in the lines passed over are the same on both sides."""
        for place in self._equal:
            self._names.same(_tokens(self._before[place]), place)
        self._equal.clear()
