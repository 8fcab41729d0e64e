"""Take out of IR text what says nothing about the program: four rules, each can be left out.

    ssa       names of values and labels of blocks: `%17`, `%arg0`, `^bb3`
    alias     numbers of attribute and type aliases: `#map3` becomes what it stands for
    location  `loc(…)` at the end of ops and block arguments, and `#loc3 = loc(…)` lines
    payload   contents of constants: hex strings, and what the printer elided

Two texts that are equal after `normalise` can still differ in operands (`%1` for `%2`), in what a
string says or in the contents of a constant; `diff` looks at those separately. Nothing is taken out
silently: every rule counts what it hid.
Spellings were checked against dumps of iree-compile 3.13.0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from .blobs import one_line
from .locations import Quotes, mask_locations

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

__all__ = [
    "ALL",
    "BLOCK",
    "VALUE",
    "Definition",
    "Normalised",
    "Rule",
    "aliases",
    "definitions",
    "expand",
    "left_out",
    "mask",
    "normalise",
    "spell_out",
    "table_of",
]

Rule = Literal["ssa", "alias", "location", "payload"]
ALL: tuple[Rule, ...] = get_args(Rule)
"""Every rule, in the order in which counts are shown."""

# %17 · %arg0 · %c0_i32 · %__device_0 · %cst-1                                               (3.13)
VALUE = re.compile(r"%[\w$.-]+", re.ASCII)
# ^bb3                                                                                      (3.13)
BLOCK = re.compile(r"\^bb\d+")
# #map1 = affine_map<(d0, d1) -> (d1)>                                                      (3.13)
# #executable_target_embedded_elf_x86_64 = #hal.executable.target<"llvm-cpu", …             (3.13)
# #composite_of_64b = #util.composite<64xi8, [          … and on, up to a line with `]>`    (3.13)
_DEFINITION = re.compile(r"([#!][A-Za-z_][\w$.-]*) = (.+)", re.S)
_USE = {
    sigils: re.compile(rf"[{sigils}][A-Za-z_][\w$.-]*", re.ASCII) for sigils in ("#", "!", "!#")
}
# What the printer leaves out where it prints no alias; with one it is `target(#executable_target)`:
# target(<"llvm-cpu", "embedded-elf-x86_64", {…}>)                                            (3.13)
_MNEMONIC = re.compile(r"\(#[A-Za-z_][\w$.-]*<")
# dense<"0x0000803F00000040"> · dense<__elided__> · dense_resource<__elided__>                (3.13)
_DENSE = re.compile(r'dense(?:_resource)?<(?:__elided__|"0x[0-9A-Fa-f]*")>')
# torch_tensor_4_torch.float32: "0x040000000000803F…"            (3.13, {-# dialect_resources #-})
_HEX = re.compile(r'"0x[0-9A-Fa-f]{16,}"')


@dataclass(frozen=True, slots=True)
class Normalised:
    """Lines of a text after the rules, and how much each rule took out."""

    lines: tuple[str, ...]
    "the lines that are left; lines that hold nothing but an alias or a location are gone"
    hidden: Mapping[Rule, int] = field(default_factory=dict)
    "places that each rule changed: names, uses of aliases, locations, constants"

    def __str__(self) -> str:
        counts = ", ".join(f"{n} {rule}" for rule, n in self.hidden.items())
        return f"{len(self.lines)} lines (hidden: {counts or 'nothing'})"

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Definition:
    """An alias that is defined at the left margin of a text."""

    start: int
    "0-based first line, and one past the last"
    end: int
    name: str
    "with its sigil, as it is used"
    printed: str
    "what it stands for, as it is printed, some of it of several lines; may use other aliases"

    @property
    def value(self) -> str:
        """The same on one line."""
        return one_line(self.printed.split("\n")) if "\n" in self.printed else self.printed

    @property
    def is_location(self) -> bool:
        """It is the alias of a location."""
        return self.name.startswith("#loc") and self.value.startswith("loc(")


def normalise(text: str, rules: Collection[Rule] = ALL) -> Normalised:
    """Text after the rules, for reading and counting; `diff` compares two texts with them."""
    hidden: dict[Rule, int] = {rule: 0 for rule in ALL if rule in rules}
    lines = text.split("\n")
    found = definitions(lines)
    gone = left_out(found, rules)
    if "location" in rules:
        hidden["location"] += sum(each.is_location for each in found)
    text = "\n".join([line for index, line in enumerate(lines) if index not in gone])
    if "alias" in rules:
        text, hidden["alias"] = _expand(text, table_of(found))
    for rule in hidden:
        text, count = _MASKS[rule](text)
        hidden[rule] += count
    return Normalised(tuple(text.split("\n")), hidden)


def definitions(lines: Sequence[str]) -> list[Definition]:
    """Aliases that are defined at the left margin, in order."""
    found: list[Definition] = []
    for start in [index for index, line in enumerate(lines) if line[:1] in ("#", "!")]:
        match = _DEFINITION.match(lines[start])
        if match is None:
            continue
        end = start + 1
        if match[2].endswith("["):
            while end < len(lines) and lines[end].startswith("  "):
                end += 1
            end = min(end + 1, len(lines))
        printed = "\n".join([match[2], *lines[start + 1 : end]])
        found.append(Definition(start, end, match[1], printed))
    return found


def left_out(found: Iterable[Definition], rules: Collection[Rule]) -> frozenset[int]:
    """Lines of definitions that do not count, because what they define does where it is used."""
    return frozenset(
        index
        for each in found
        if "alias" in rules or ("location" in rules and each.is_location)
        for index in range(each.start, each.end)
    )


def table_of(found: Sequence[Definition], *, printed: bool = False) -> dict[str, str]:
    """What every alias stands for, fully spelled out; on one line, unless `printed`."""
    table = {each.name: each.printed if printed else each.value for each in found}
    # Locations are printed as `loc(#loc3)`.
    table.update((each.name, each.value[4:-1]) for each in found if each.is_location)
    # The printer defines an alias before its first use.
    for name, value in table.items():
        table[name] = _expand(value, table)[0]
    return table


def aliases(lines: Sequence[str]) -> dict[str, str]:
    """Aliases that a text defines, each with what it stands for, fully spelled out."""
    return table_of(definitions(lines))


def expand(text: str) -> str:
    """Text without aliases: definitions are left out, uses are spelled out."""
    lines = text.split("\n")
    found = definitions(lines)
    gone = {index for each in found for index in range(each.start, each.end)}
    kept = "\n".join([line for index, line in enumerate(lines) if index not in gone])
    return _expand(kept, table_of(found, printed=True))[0]


def spell_out(text: str, table: Mapping[str, str]) -> str:
    """Text with the aliases of `table` replaced by what they stand for."""
    return _expand(text, table)[0]


def mask(text: str, rules: Collection[Rule] = ALL) -> str:
    """Text with names, locations and payloads blanked, line for line; aliases stay."""
    for rule in ALL:
        if rule in rules:
            text = _MASKS[rule](text)[0]
    return text


def _expand(text: str, table: Mapping[str, str]) -> tuple[str, int]:
    if not table:
        return text, 0
    count = 0
    quotes = Quotes(text)

    def value(use: re.Match[str]) -> str:
        nonlocal count
        found = table.get(use[0])
        if found is None or quotes.around(use.start()):
            return use[0]
        count += 1
        return found

    # Types have the sigil of type aliases and are many: look for that only if there is one.
    sigils = "".join(sorted({name[0] for name in table}))
    return _USE[sigils].sub(value, text), count


def _mask_names(text: str) -> tuple[str, int]:
    text, count = VALUE.subn("%", text)
    if "^bb" in text:
        text, labels = BLOCK.subn("^bb", text)
        count += labels
    return text, count


def _mask_payloads(text: str) -> tuple[str, int]:
    if "__elided__" not in text and '"0x' not in text:
        return text, 0
    text, dense = _DENSE.subn("dense<…>", text)
    text, strings = _HEX.subn('"0x…"', text)
    return text, dense + strings


def _mask_mnemonics(text: str) -> tuple[str, int]:
    return _MNEMONIC.subn("(<", text) if "(#" in text else (text, 0)


_MASKS = {
    "alias": _mask_mnemonics,
    "location": mask_locations,
    "payload": _mask_payloads,
    "ssa": _mask_names,
}
