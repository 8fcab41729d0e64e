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
from typing import TYPE_CHECKING

import numpy as np

from .align import align
from .difference import Diff, Hunk
from .normalise import ALL, aliases, is_alias, is_location, mask, spell_out
from .operands import changed_operands

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from .align import Block
    from .normalise import Rule

__all__ = ["diff"]


def diff(before: str, after: str, *, rules: Collection[Rule] = ALL) -> Diff:
    """Compare two IR texts, line by line; line ends and blank lines at the end do not count.

    Args:
        before: text of a snapshot, of a phase, or of a part of one; likewise `after`.
        rules: what not to count as a difference; `()` compares the lines as they are.
    """
    old, new = _lines(before), _lines(after)
    if old == new:
        return Diff(tuple(old), tuple(new), (), 0, 0, True)
    left, right = _sides(old, new, rules)
    blocks, head, tail = _aligned(left.work, right.work, rules)
    if "ssa" in rules:
        wrong = changed_operands(left.work, right.work, blocks, head=head, tail=tail)
    else:
        wrong = []
    ends = (len(left.work), len(right.work))
    blocks = [(0, 0, head), *blocks, (ends[0] - tail, ends[1] - tail, tail)]
    blocks = _without(blocks, wrong)
    gaps = list(_gaps(blocks, *ends))
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
        hidden=_hidden(left, right, blocks, rules),
        left_out=(left.left_out(), right.left_out()),
    )


def _lines(text: str) -> list[str]:
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text.rstrip("\n").split("\n")


@dataclass(frozen=True, slots=True)
class _Side:
    """Lines of one text that take part in the comparison."""

    raw: list[str]
    work: list[str]
    "the lines that are compared, with aliases spelled out"
    at: list[int] | None
    "index in `raw` of each, None if all lines take part"

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Range of raw lines of a range of compared lines."""
        if self.at is None:
            return start, end
        if start == end:
            first = self.at[start] if start < len(self.at) else len(self.raw)
            return first, first
        return self.at[start], self.at[end - 1] + 1

    def left_out(self) -> frozenset[int]:
        if self.at is None:
            return frozenset()
        return frozenset(range(len(self.raw))).difference(self.at)

    def printed(self, index: int) -> str:
        return self.raw[index if self.at is None else self.at[index]]


def _sides(old: list[str], new: list[str], rules: Collection[Rule]) -> tuple[_Side, _Side]:
    """Leave out what is not compared, and spell out aliases."""
    tables = []
    for lines in (old, new):
        margin = [line for line in lines if line[:1] in ("#", "!")]
        if "location" in rules:
            margin = [line for line in margin if not is_location(line)]
        tables.append(aliases(margin) if "alias" in rules else {})
    left = _side(old, tables[0], "location" in rules)
    return left, _side(new, tables[1], "location" in rules)


def _side(lines: list[str], table: dict[str, str], no_locations: bool) -> _Side:
    """Lines without definitions: what they define is compared where it is used."""
    at = [
        index
        for index, line in enumerate(lines)
        if line[:1] not in ("#", "!")
        or not (is_alias(line) in table or (no_locations and is_location(line)))
    ]
    if len(at) == len(lines):
        return _Side(lines, lines, None)
    # All in one go: the cost is in the calls.
    text = spell_out("\n".join([lines[index] for index in at]), table)
    return _Side(lines, text.split("\n") if at else [], at)


def _aligned(
    old: Sequence[str], new: Sequence[str], rules: Collection[Rule]
) -> tuple[list[Block], int, int]:
    """Minimal alignment of masked lines between the equal head and the equal tail."""
    head = _common(old, new)
    left, right = old[head:], new[head:]
    tail = _common(left[::-1], right[::-1])
    left, right = left[: len(left) - tail], right[: len(right) - tail]
    ids = _interned({*left, *right}, rules)
    blocks = align(
        np.fromiter(map(ids.__getitem__, left), np.int32, len(left)),
        np.fromiter(map(ids.__getitem__, right), np.int32, len(right)),
    )
    return [(i + head, j + head, n) for i, j, n in blocks], head, tail


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


def _interned(lines: Collection[str], rules: Collection[Rule]) -> dict[str, int]:
    """A number for every line; the same number for lines that are equal after the rules."""
    distinct = list(lines)
    masked = mask("\n".join(distinct), rules).split("\n") if distinct else []
    numbers: dict[str, int] = {}
    return {
        line: numbers.setdefault(key, len(numbers))
        for line, key in zip(distinct, masked, strict=True)
    }


def _without(blocks: list[Block], wrong: Sequence[tuple[int, int]]) -> list[Block]:
    """Blocks without some of their lines."""
    if not wrong:
        return [block for block in blocks if block[2]]
    left: list[Block] = []
    holes = iter([*wrong, (-1, -1)])
    hole = next(holes)
    for i, j, n in blocks:
        start = 0
        while hole[0] >= i and hole[0] < i + n:
            left.append((i + start, j + start, hole[0] - i - start))
            start = hole[0] - i + 1
            hole = next(holes)
        left.append((i + start, j + start, n - start))
    return [block for block in left if block[2]]


def _gaps(blocks: Sequence[Block], before_end: int, after_end: int) -> Iterator[Hunk]:
    i = j = 0
    for x, y, n in (*blocks, (before_end, after_end, 0)):
        if (x, y) != (i, j):
            yield Hunk(i, x, j, y)
        i, j = x + n, y + n


def _hidden(
    left: _Side, right: _Side, blocks: Sequence[Block], rules: Collection[Rule]
) -> dict[Rule, int]:
    """Aligned lines whose difference each rule hid, and definitions that differ."""
    hidden: dict[Rule, int] = {rule: 0 for rule in ALL if rule in rules}
    pairs = [(i + k, j + k) for i, j, n in blocks for k in range(n)]
    unequal = [(left.work[i], right.work[j]) for i, j in pairs if left.work[i] != right.work[j]]
    for rule in hidden:
        # A rule hides a line's difference if it would show with all the other rules.
        others = [other for other in hidden if other != rule]
        texts = ["\n".join(side) for side in zip(*unequal, strict=True)]
        shown = [mask(text, others).split("\n") for text in texts]
        hidden[rule] = sum(x != y for x, y in zip(*shown, strict=True))
    if left.at is None and right.at is None:
        return hidden
    if "alias" in hidden:
        hidden["alias"] += sum(
            left.work[i] == right.work[j] and left.printed(i) != right.printed(j) for i, j in pairs
        )
    for rule, is_rule in (("alias", False), ("location", True)):
        if rule in hidden:
            sets = [
                {side.raw[k] for k in side.left_out() if is_location(side.raw[k]) is is_rule}
                for side in (left, right)
            ]
            hidden[rule] += max(len(sets[0] - sets[1]), len(sets[1] - sets[0]))
    return hidden
