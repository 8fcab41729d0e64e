"""One of the two texts of a comparison: which of its lines take part, and in which form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .blobs import continued, one_line, resource_section, resources
from .normalise import definitions, left_out, mask, spell_out, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from .normalise import Definition, Rule

__all__ = ["Side", "lines_of", "sides"]


def lines_of(text: str) -> list[str]:
    """Lines of a text; line ends and blank lines at the end do not count."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text.rstrip("\n").split("\n")


@dataclass(frozen=True, slots=True)
class Side:
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


def sides(old: list[str], new: list[str], rules: Collection[Rule]) -> tuple[Side, Side]:
    """Both texts of a comparison."""
    found = definitions(old), definitions(new)
    # Where one text has such an attribute under a name, the other one may have it in place.
    join = "alias" in rules and any("\n" in each.printed for side in found for each in side)
    here, there = resources(old), resources(new)
    other = {name for name in here.keys() & there.keys() if here[name][1] != there[name][1]}
    return (
        _side(old, found[0], rules, join, frozenset(here[name][0] for name in other)),
        _side(new, found[1], rules, join, frozenset(there[name][0] for name in other)),
    )


def _side(
    lines: list[str],
    found: Sequence[Definition],
    rules: Collection[Rule],
    join: bool,
    kept: frozenset[int],
) -> Side:
    gone = left_out(found, rules)
    if "payload" in rules:
        gone |= frozenset(resource_section(lines)) - kept
    counted = [each for each in found if not (each.is_location and "location" in rules)]
    table = table_of(counted) if "alias" in rules else {}
    whole = lines
    if join and (runs := [run for run in continued(lines) if run[0] not in gone]):
        whole = list(lines)
        for start, end in runs:
            whole[start] = one_line(lines[start:end])
            gone |= frozenset(range(start + 1, end))
    if not gone:
        return Side(lines, table, gone, lines, None)
    at = [index for index in range(len(lines)) if index not in gone]
    return Side(lines, table, gone, [whole[index] for index in at], at)
