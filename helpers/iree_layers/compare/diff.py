"""What changed between two IR texts: a minimal line diff that knows what a name is worth.

    d = diff(before, after)
    d.added, d.removed, d.only_renumbering, d.hidden
    print(d.unified())

Lines are compared after the rules of `normalise`; the diff of those is minimal (no other has
fewer added and removed lines); then lines that only looked equal because names were blanked are
found by their operands and strings, and count as changed. What is shown are always the lines as
printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from .align import align
from .blobs import resource_section, strings
from .difference import Diff, Hunk
from .locations import mask_locations
from .normalise import ALL
from .operands import changed_operands
from .side import lines_of, sides

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from .align import Block, Ids
    from .normalise import Rule
    from .side import Side

__all__ = ["diff"]

_NAMES: tuple[Rule, ...] = ("ssa",)


def diff(before: str, after: str, *, rules: Collection[Rule] = ALL) -> Diff:
    """Compare two IR texts, line by line; line ends and blank lines at the end do not count.

    Args:
        before: text of a snapshot, of a phase, or of a part of one.
        after: the same, later.
        rules: what not to count as a difference; `()` compares the lines as they are.
    """
    old, new = lines_of(before), lines_of(after)
    if old == new:
        return Diff(tuple(old), tuple(new), (), 0, 0, True)
    left, right = sides(old, new, rules)
    found = _aligned(left, right, rules)
    changed = set(_changed_strings(left, right, found, rules))
    if "ssa" in rules:
        changed.update(changed_operands(found.before, found.after, found.unequal))
    gaps = list(_gaps(found, changed, len(left.work), len(right.work)))
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
        hidden=_hidden(left, right, found, changed, rules),
        left_out=(left.left_out, right.left_out),
    )


@dataclass(frozen=True, slots=True)
class _Aligned:
    """Lines of both sides that are equal after the rules, one list entry per pair."""

    at: tuple[Ids, Ids]
    "index of each in the two `work` lists"
    before: list[str]
    after: list[str]
    unequal: list[int]
    "positions of the pairs that are not equal as printed"


def _changed_strings(
    left: Side, right: Side, found: _Aligned, rules: Collection[Rule]
) -> Iterator[int]:
    """Aligned lines that are equal after the rules, but for what a string in them says.

    A rule must not look into strings; and constants whose contents are both shown are not equal.
    """
    before, after = found.before, found.after
    places = [k for k in found.unequal if '"' in before[k] or '"' in after[k]]
    spelled: tuple[Rule, ...] = ("alias",) if "alias" in rules else ()
    old = left.masked([before[k] for k in places], spelled)
    new = right.masked([after[k] for k in places], spelled)
    for k, x, y in zip(places, old, new, strict=True):
        # A constant that is elided on one side may be the same.
        hidden = "payload" in rules and ("__elided__" in x or "__elided__" in y)
        if _strings(x, rules, hidden) != _strings(y, rules, hidden):
            yield k


def _strings(line: str, rules: Collection[Rule], hidden: bool) -> list[str]:
    if "location" in rules:
        line = mask_locations(line)[0]
    return [text for text in strings(line) if not (hidden and text.startswith('"0x'))]


def _aligned(left: Side, right: Side, rules: Collection[Rule]) -> _Aligned:
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
    left: tuple[Side, Sequence[str]], right: tuple[Side, Sequence[str]], rules: Collection[Rule]
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
    left: Side,
    right: Side,
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
    if "payload" in hidden:
        # Resources, of which the order may be all that differs.
        tails = [
            [side.raw[k].rstrip(",") for k in resource_section(side.raw) if k in side.left_out]
            for side in (left, right)
        ]
        hidden["payload"] += sum(x != y for x, y in zip_longest(*tails))
    gone = [
        {side.raw[k] for k in side.left_out - frozenset(resource_section(side.raw))}
        for side in (left, right)
    ]
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
