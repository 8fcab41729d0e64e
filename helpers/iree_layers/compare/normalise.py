"""Take out of IR text what says nothing about the program: four rules, each can be left out.

    ssa       names of values and labels of blocks: `%17`, `%arg0`, `^bb3`
    alias     numbers of attribute and type aliases: `#map3` becomes what it stands for
    location  `loc(…)` at the end of ops and block arguments, and `#loc3 = loc(…)` lines
    payload   contents of constants: hex strings, and what the printer elided

Two texts that are equal after `normalise` can still differ in operands (`%1` for `%2`); `diff`
looks at those separately. Nothing is taken out silently: every rule counts what it hid.
Spellings were checked against dumps of iree-compile 3.13.0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

__all__ = [
    "ALL",
    "BLOCK",
    "VALUE",
    "Normalised",
    "Rule",
    "aliases",
    "expand",
    "is_alias",
    "is_location",
    "mask",
    "normalise",
    "spell_out",
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
_DEFINITION = re.compile(r"([#!][A-Za-z_][\w$.-]*) = (.+)", re.S)
# What the printer leaves out where it prints no alias; with one it is `target(#executable_target)`:
# target(<"llvm-cpu", "embedded-elf-x86_64", {…}>)                                            (3.13)
_MNEMONIC = re.compile(r"\(#[A-Za-z_][\w$.-]*<")
# "memref.store"(…) loc(callsite("f"("m.mlir":3:5) at #loc2)) · %arg0: f32 loc("m.mlir":1:2)  (3.13)
_LOCATION = " loc("
_BRACKET = re.compile(r'[()"]')
_STRING_END = re.compile(r'(?:[^"\\]|\\.)*"', re.S)
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


def normalise(text: str, rules: Collection[Rule] = ALL) -> Normalised:
    """Text after the rules, for reading and counting; `diff` compares two texts with them."""
    lines = text.split("\n")
    hidden: dict[Rule, int] = {rule: 0 for rule in ALL if rule in rules}
    if "location" in rules:
        kept = [line for line in lines if not is_location(line)]
        hidden["location"] += len(lines) - len(kept)
        lines = kept
    if "alias" in rules:
        table = aliases(lines)
        lines = [line for line in lines if not _DEFINITION.match(line)]
        text, hidden["alias"] = _expand("\n".join(lines), table)
        lines = text.split("\n")
    text = "\n".join(lines)
    for rule in hidden:
        text, count = _MASKS[rule](text)
        hidden[rule] += count
    return Normalised(tuple(text.split("\n")) if lines else (), hidden)


def is_location(line: str) -> bool:
    """Whether the whole line is the definition of a location: `#loc3 = loc(…)`."""
    return line.startswith("#loc") and " = loc(" in line


def is_alias(line: str) -> str:
    """Name of the alias that a whole line defines, with its sigil; '' if it does not."""
    match = _DEFINITION.match(line)
    return match[1] if match else ""


def aliases(lines: Iterable[str]) -> dict[str, str]:
    """Aliases defined at the left margin, each with what it stands for, fully spelled out."""
    table: dict[str, str] = {}
    for line in lines:
        if line[:1] in ("#", "!") and (match := _DEFINITION.match(line)):
            # Locations are printed as `loc(#loc3)`.
            table[match[1]] = match[2][4:-1] if is_location(line) else match[2]
    # The printer defines an alias before its first use, locations apart.
    for name, value in table.items():
        table[name] = _expand(value, table)[0]
    return table


def expand(text: str) -> str:
    """Text without aliases: definitions are left out, uses are spelled out."""
    lines = text.split("\n")
    table = aliases(lines)
    if not table:
        return text
    kept = [line for line in lines if line[:1] not in ("#", "!") or not _DEFINITION.match(line)]
    return _expand("\n".join(kept), table)[0]


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
    names = "|".join(map(re.escape, sorted(table, key=len, reverse=True)))
    return re.subn(rf"(?:{names})(?![\w$.-])", lambda name: table[name[0]], text)


def _mask_names(text: str) -> tuple[str, int]:
    text, count = VALUE.subn("%", text)
    if "^bb" in text:
        text, labels = BLOCK.subn("^bb", text)
        count += labels
    return text, count


def _mask_locations(text: str) -> tuple[str, int]:
    if _LOCATION not in text:
        return text, 0
    parts = []
    count = position = 0
    while (start := text.find(_LOCATION, position)) >= 0:
        end = _closing(text, start + len(_LOCATION))
        parts.append(text[position:start])
        if end is None:
            parts.append(_LOCATION)
            position = start + len(_LOCATION)
        else:
            count += 1
            position = end
    parts.append(text[position:])
    return "".join(parts), count


def _closing(text: str, position: int) -> int | None:
    """Offset after the bracket that closes the one before `position`, on the same line."""
    depth = 1
    line_end = text.find("\n", position)
    stop = len(text) if line_end < 0 else line_end
    while match := _BRACKET.search(text, position, stop):
        position = match.end()
        if match[0] == '"':
            quoted = _STRING_END.match(text, position, stop)
            if quoted is None:
                return None
            position = quoted.end()
            continue
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return position
    return None


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
    "location": _mask_locations,
    "payload": _mask_payloads,
    "ssa": _mask_names,
}
