"""Contents of constants in a printed text: attributes of several lines, resources, strings.

The printer of MLIR writes them in ways that a comparison of lines has to know (3.13):

    %b = util.buffer.constant : !util.buffer = #util.composite<64xi8, [      4 blanks and column 0,
        dense<0> : vector<16xi8>,                                            however deep the op is
        dense<1> : vector<48xi8>,
    ]>

    {-#                                       at the end of a module; in which order they stand
      dialect_resources: {                    changes from one print to the next
        builtin: {
          torch_tensor_8_torch.float32: "0x04000000F7251ABE7B94CEBDB7211F3E",
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["continued", "one_line", "resource_section", "resources", "strings", "without_strings"]

_OPENS = re.compile(r"#util\.composite<[^\[\]]*, \[$")
# torch_tensor_8_torch.float32: "0x04000000F7251ABE7B94CEBDB7211F3E",
_RESOURCE = re.compile(r'\s*(?P<name>"(?:[^"\\]|\\.)*"|[\w$.-]+): (?P<data>"0x[0-9A-Fa-f]*"),?$')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def continued(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of lines that are one attribute, with the op that holds it."""
    end = 0
    for start, line in enumerate(lines):
        if start < end or not line.endswith("[") or not _OPENS.search(line):
            continue
        end = start + 1
        while end < len(lines) and lines[end].startswith("    "):
            end += 1
        if end < len(lines) and lines[end].lstrip(" ").startswith("]"):
            end += 1
            yield start, end


def one_line(lines: Sequence[str]) -> str:
    """Such lines as one."""
    return " ".join([lines[0], *(line.strip() for line in lines[1:])])


def resource_section(lines: Sequence[str]) -> range:
    """Lines of the resources at the end of a text; empty if there are none."""
    if not lines or lines[-1] != "#-}" or "{-#" not in lines:
        return range(0)
    return range(len(lines) - 1 - lines[::-1].index("{-#"), len(lines))


def resources(lines: Sequence[str]) -> Mapping[str, tuple[int, str]]:
    """Name of each resource to its line and its contents."""
    found = {}
    for k in resource_section(lines):
        if match := _RESOURCE.match(lines[k]):
            found[match["name"]] = k, match["data"]
    return found


def strings(line: str) -> list[str]:
    """The strings in a line, in order, with their quotes."""
    return _STRING.findall(line)


def without_strings(line: str) -> str:
    """The line with nothing between its quotes."""
    return _STRING.sub('""', line)
