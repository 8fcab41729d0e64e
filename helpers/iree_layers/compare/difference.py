"""The values of a comparison: Hunk, Row, Diff, and the text form of a diff."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from .normalise import aliases, spell_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .normalise import Rule

__all__ = ["Diff", "Hunk", "Row"]

Kind = Literal["equal", "renamed", "changed", "removed", "added"]


@dataclass(frozen=True, slots=True)
class Hunk:
    """A place that changed: lines `before_start:before_end` became `after_start:after_end`."""

    before_start: int
    "0-based index into `Diff.before`, like the others; ranges are half-open"
    before_end: int
    after_start: int
    after_end: int

    @property
    def removed(self) -> int:
        """Number of lines before."""
        return self.before_end - self.before_start

    @property
    def added(self) -> int:
        """Number of lines after."""
        return self.after_end - self.after_start


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a side-by-side view."""

    left: int | None
    "1-based line number before, None where the row only exists after"
    right: int | None
    kind: Kind
    "`renamed`: equal but for what the rules hide; `changed`: both sides, in a hunk"


@dataclass(frozen=True, eq=False)
class Diff:
    """The difference of two texts."""

    before: tuple[str, ...]
    "all lines of the text before, as printed"
    after: tuple[str, ...]
    hunks: tuple[Hunk, ...]
    "in order; empty if nothing remains after the rules"
    added: int
    removed: int
    identical: bool
    "the texts are equal as they stand"
    hidden: Mapping[Rule, int] = field(default_factory=dict)
    "lines whose difference a rule hid, per rule that was on"
    left_out: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    "0-based lines that were not compared as such: definitions of aliases and locations, resources"

    @property
    def only_renumbering(self) -> bool:
        """The texts differ, and nothing remains of it after the rules."""
        return not self.identical and not self.hunks

    @property
    def changed(self) -> bool:
        """Something remains after the rules."""
        return bool(self.hunks)

    def __str__(self) -> str:
        if self.identical:
            return "identical"
        hidden = ", ".join(f"{n} {rule}" for rule, n in self.hidden.items() if n)
        hidden = f" (hidden: {hidden})" if hidden else ""
        if not self.hunks:
            return f"only renumbering{hidden}"
        places = f"{len(self.hunks)} place{'s' if len(self.hunks) > 1 else ''}"
        return f"+{self.added} -{self.removed} lines in {places}{hidden}"

    __repr__ = __str__

    def rows(self) -> Iterator[Row]:
        """Every line of both sides, aligned, in order: for a side-by-side view."""
        i = j = 0
        end = Hunk(len(self.before), len(self.before), len(self.after), len(self.after))
        for hunk in (*self.hunks, end):
            yield from self._equal(i, hunk.before_start, j, hunk.after_start)
            yield from self._changed(hunk)
            i, j = hunk.before_end, hunk.after_end

    def _equal(self, i: int, i_end: int, j: int, j_end: int) -> Iterator[Row]:
        left = [k for k in range(i, i_end) if k not in self.left_out[0]]
        right = [k for k in range(j, j_end) if k not in self.left_out[1]]
        for x, y in zip(left, right, strict=True):
            yield Row(x + 1, y + 1, "equal" if self.before[x] == self.after[y] else "renamed")

    def _changed(self, hunk: Hunk) -> Iterator[Row]:
        left = [k for k in range(hunk.before_start, hunk.before_end) if k not in self.left_out[0]]
        right = [k for k in range(hunk.after_start, hunk.after_end) if k not in self.left_out[1]]
        both = min(len(left), len(right))
        for x, y in zip(left, right, strict=False):
            yield Row(x + 1, y + 1, "changed")
        for x in left[both:]:
            yield Row(x + 1, None, "removed")
        for y in right[both:]:
            yield Row(None, y + 1, "added")

    def unified(self, context: int = 3, max_lines: int = 40) -> str:
        """The usual text form, of at most `max_lines` lines; the last one says what is left out.

        Args:
            context: equal lines around a change; they are shown as they are after.
            max_lines: 0 for no limit.
        """
        if not self.hunks:
            return str(self)
        lines = [line for group in self._groups(context) for line in self._group(group, context)]
        if not max_lines or len(lines) <= max_lines:
            return "\n".join(lines)
        shown, rest = lines[: max_lines - 1], lines[max_lines - 1 :]
        added = sum(line.startswith("+") for line in rest)
        removed = sum(line.startswith("-") for line in rest)
        return "\n".join([*shown, f"… {len(rest)} more lines (+{added} -{removed})"])

    def _groups(self, context: int) -> list[list[Hunk]]:
        """Hunks whose context would overlap, together."""
        groups: list[list[Hunk]] = []
        for hunk in self.hunks:
            if groups and hunk.after_start - groups[-1][-1].after_end <= 2 * context:
                groups[-1].append(hunk)
            else:
                groups.append([hunk])
        return groups

    def _group(self, group: Sequence[Hunk], context: int) -> Iterator[str]:
        first, last = group[0], group[-1]
        lead = min(context, first.after_start, first.before_start)
        trail = min(context, len(self.after) - last.after_end)
        start, end = first.after_start - lead, last.after_end + trail
        old = first.before_start - lead, last.before_end + trail
        yield f"@@ -{_range(*old)} +{_range(start, end)} @@"
        position = start
        for hunk in group:
            yield from (f" {line}" for line in self.after[position : hunk.after_start])
            yield from (
                f"-{line}" for line in self._spelled[0][hunk.before_start : hunk.before_end]
            )
            yield from (f"+{line}" for line in self._spelled[1][hunk.after_start : hunk.after_end])
            position = hunk.after_end
        yield from (f" {line}" for line in self.after[position:end])

    @cached_property
    def _spelled(self) -> tuple[Sequence[str], Sequence[str]]:
        """Lines for showing: with aliases spelled out where that alone makes the difference."""
        left, right = list(self.before), list(self.after)
        tables = aliases(self.before), aliases(self.after)
        for row in self.rows() if tables[0] or tables[1] else ():
            if row.kind == "changed" and row.left and row.right:
                x, y = row.left - 1, row.right - 1
                if left[x] == right[y]:
                    left[x] = spell_out(left[x], tables[0])
                    right[y] = spell_out(right[y], tables[1])
        return left, right


def _range(start: int, end: int) -> str:
    # An empty range names the line before it, as diff -u does.
    return f"{start + 1 if end > start else start},{end - start}"
