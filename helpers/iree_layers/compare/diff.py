"""What changed between two IR texts: a minimal line diff that knows what a name is worth.

    d = diff(before, after)
    d.added, d.removed, d.only_renumbering, d.hidden
    print(d.unified())

Lines are compared after the rules of `normalise`; the diff of those is minimal (no other has
fewer added and removed lines); then lines that only looked equal because names were blanked are
found by their operands and count as changed. What is shown are always the lines as printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from .align import align
from .difference import Diff, Hunk
from .normalise import ALL, definitions, left_out, mask, spell_out, table_of
from .operands import changed_operands

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from .align import Block, Ids
    from .normalise import Rule

__all__ = ["diff"]

_NAMES: tuple[Rule, ...] = ("ssa",)


def diff(before: str, after: str, *, rules: Collection[Rule] = ALL) -> Diff:
    """Compare two IR texts, line by line; line ends and blank lines at the end do not count.

    Args:
        before: text of a snapshot, of a phase, or of a part of one.
        after: the same, later.
        rules: what not to count as a difference; `()` compares the lines as they are.
    """
    old, new = _lines(before), _lines(after)
    if old == new:
        return Diff(tuple(old), tuple(new), (), 0, 0, True)
    left, right = _side(old, rules), _side(new, rules)
    found = _aligned(left, right, rules)
    changed = changed_operands(found.before, found.after, found.unequal) if "ssa" in rules else []
    gaps = list(_gaps(found, set(changed), len(left.work), len(right.work)))
    return Diff(
        before=tuple(old),
        after=tuple(new),
        hunks=tuple(
            Hunk(
                *left.place(gap.before_start, gap.before_end),
                *right.place(gap.after_start, gap.after_end),
            )
            for gap in gaps
        ),
        added=sum(gap.added for gap in gaps),
        removed=sum(gap.removed for gap in gaps),
        identical=False,
        hidden=_hidden(left, right, found, set(changed), rules),
        left_out=(left.left_out, right.left_out),
    )


def _lines(text: str) -> list[str]:
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text.rstrip("\n").split("\n")


@dataclass(frozen=True, slots=True)
class _Side:
    """Lines of one text that take part in the comparison."""

    raw: list[str]
    table: dict[str, str]
    "aliases, with what they stand for"
    left_out: frozenset[int]
    "indexes in `raw` of definitions: what they define is compared where it is used"
    work: list[str]
    "the other lines"
    at: list[int] | None
    "index in `raw` of each, None if nothing is left out"

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Range of raw lines of a range of compared lines."""
        if self.at is None:
            return start, end
        if start == end:
            first = self.at[start] if start < len(self.at) else len(self.raw)
            return first, first
        return self.at[start], self.at[end - 1] + 1

    def masked(self, lines: Sequence[str], rules: Collection[Rule]) -> list[str]:
        """Lines after the rules. All in one go: the cost is in the calls."""
        if not lines:
            return []
        text = "\n".join(lines)
        if self.table and "alias" in rules:
            text = spell_out(text, self.table)
        return mask(text, rules).split("\n")


@dataclass(frozen=True, slots=True)
class _Aligned:
    """Lines of both sides that are equal after the rules, one list entry per pair."""

    at: tuple[Ids, Ids]
    "index of each in the two `work` lists"
    before: list[str]
    after: list[str]
    unequal: list[int]
    "positions of the pairs that are not equal as printed"


def _side(lines: list[str], rules: Collection[Rule]) -> _Side:
    found = definitions(lines)
    gone = left_out(found, rules)
    counted = [each for each in found if not (each.is_location and "location" in rules)]
    table = table_of(counted) if "alias" in rules else {}
    if not gone:
        return _Side(lines, table, gone, lines, None)
    at = [index for index in range(len(lines)) if index not in gone]
    return _Side(lines, table, gone, [lines[index] for index in at], at)


def _aligned(left: _Side, right: _Side, rules: Collection[Rule]) -> _Aligned:
    """Minimal alignment of masked lines."""
    old, new = left.work, right.work
    head = tail = 0
    clash = any(right.table.get(name, value) != value for name, value in left.table.items())
    if not clash:
        # Equal lines mean the same on both sides, and need no masking.
        head = _common(old, new)
        tail = _common(old[head:][::-1], new[head:][::-1])
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    found = None if clash else _contained(*middle)
    if found is None:
        found = align(*_interned((left, middle[0]), (right, middle[1]), rules))
    blocks = [(0, 0, head)]
    blocks += [(i + head, j + head, n) for i, j, n in found]
    blocks.append((len(old) - tail, len(new) - tail, tail))
    i, j, n = np.array(blocks).T
    within = np.arange(int(n.sum())) - np.repeat(np.cumsum(n) - n, n)
    at = (np.repeat(i, n) + within, np.repeat(j, n) + within)
    before: list[str] = []
    after: list[str] = []
    for x, y, size in blocks:
        before += old[x : x + size]
        after += new[y : y + size]
    unequal = [k for k, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    return _Aligned(at, before, after, unequal)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Number of equal lines at the start."""
    total = min(len(a), len(b))
    start, step = 0, 32
    while start < total:
        end = min(total, start + step)
        if a[start:end] != b[start:end]:
            return next(k for k in range(start, end) if a[k] != b[k])
        start, step = end, step * 4
    return total


def _contained(old: Sequence[str], new: Sequence[str]) -> list[Block] | None:
    """Alignment if one side is the other with lines left out, as printed; None if it is not.

    No alignment is longer than the shorter side, whatever names are blanked.
    """
    short, long = (old, new) if len(old) <= len(new) else (new, old)
    numbers = {line: number for number, line in enumerate(dict.fromkeys(long))}
    if not numbers.keys() >= set(short):
        return None
    left, right = (
        np.fromiter(map(numbers.__getitem__, lines), np.int32, len(lines)) for lines in (old, new)
    )
    blocks = align(left, right)
    return blocks if sum(n for _, _, n in blocks) == len(short) else None


def _interned(
    left: tuple[_Side, Sequence[str]], right: tuple[_Side, Sequence[str]], rules: Collection[Rule]
) -> tuple[Ids, Ids]:
    """A number for every line; the same number for lines that are equal after the rules."""
    numbers: dict[str, int] = {}
    known: dict[str, int] = {}
    fresh = count()
    found = []
    for side, lines in (left, right):
        if side.table != left[0].table:
            known = {}
        distinct = list(dict.fromkeys([line for line in lines if line not in known]))
        keys = side.masked(distinct, rules)
        known.update(zip(distinct, map(numbers.setdefault, keys, fresh), strict=True))
        found.append(np.fromiter(map(known.__getitem__, lines), np.int32, len(lines)))
    return found[0], found[1]


def _gaps(
    found: _Aligned, changed: Collection[int], before_end: int, after_end: int
) -> Iterator[Hunk]:
    """What is not aligned, in compared lines."""
    i, j = found.at
    if changed:
        keep = np.ones(len(i), bool)
        keep[list(changed)] = False
        i, j = i[keep], j[keep]
    i = np.concatenate(([-1], i, [before_end]))
    j = np.concatenate(([-1], j, [after_end]))
    for k in np.flatnonzero((np.diff(i) != 1) | (np.diff(j) != 1)).tolist():
        yield Hunk(int(i[k]) + 1, int(i[k + 1]), int(j[k]) + 1, int(j[k + 1]))


def _hidden(
    left: _Side,
    right: _Side,
    found: _Aligned,
    changed: Collection[int],
    rules: Collection[Rule],
) -> dict[Rule, int]:
    """Lines whose difference each rule hid, and definitions that differ."""
    hidden: dict[Rule, int] = {rule: 0 for rule in ALL if rule in rules}
    places = [k for k in found.unequal if k not in changed]
    old, new = [found.before[k] for k in places], [found.after[k] for k in places]
    if "ssa" in hidden:
        # For most lines names are all that differs; the others are few.
        blank = zip(left.masked(old, _NAMES), right.masked(new, _NAMES), strict=True)
        rest = [k for k, (x, y) in enumerate(blank) if x != y]
        hidden["ssa"] = len(old) - len(rest)
        old, new = [old[k] for k in rest], [new[k] for k in rest]
    for rule in hidden:
        # A rule hides a line's difference if it would show with all the other rules.
        others = [other for other in hidden if other != rule]
        shown = zip(left.masked(old, others), right.masked(new, others), strict=True)
        hidden[rule] += sum(x != y for x, y in shown)
    gone = [{side.raw[k] for k in side.left_out} for side in (left, right)]
    marks: tuple[tuple[Rule, tuple[str, ...]], ...]
    marks = (("location", ("#loc",)), ("alias", ("#", "!")))
    for rule, start in marks:
        if rule in hidden:
            only = [
                sum(line.startswith(start) for line in one - other)
                for one, other in (gone, gone[::-1])
            ]
            hidden[rule] += max(only)
            gone = [{line for line in side if not line.startswith(start)} for side in gone]
    return hidden
