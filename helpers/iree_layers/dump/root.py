"""The op at the root of a snapshot: its name and symbol, from the first line that is an op.

No parser: three quarters of the snapshots at op scope do not parse alone (their globals and
callees are elsewhere), and the first line says what is asked.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .source import View

__all__ = ["root_of", "spelled"]

# What may stand before the root op: `#map = affine_map<…>`, `!t = …`, a comment.
_ALIAS = (b"#", b"!", b"//")

_LOOK = 4096
"Bytes of a line that are looked at: a module's attributes may be longer, its name is not there."

# `util.func public @mlp(…) {`, `hal.executable.variant public @embedded_elf_x86_64 target(…) {`,
# `%0 = flow.dispatch @x::@y(…)`, `"func.func"() <{…, sym_name = "f"}> ({`, `module @m {`,
# `module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {` (IREE 3.13)
_ROOT = re.compile(
    rb"""\s*
    (?:%[\w$.\-]+(?::\d+)?(?:,\ %[\w$.\-]+(?::\d+)?)*\ =\ )?
    (?P<quote>"?)(?P<op>[A-Za-z_][\w$.\-]*)(?P=quote)(?![\w"])
    (?:
        (?:\ "?(?!attributes\b)[a-z_]\w*"?)*?  # public, private, "private", mutable
        \ @(?P<symbol>"(?:[^"\\]|\\.)*"|[\w$.\-]+)
    )?""",
    re.VERBOSE,
)
_NAMED = re.compile(rb'\bsym_name = (?P<symbol>"(?:[^"\\]|\\.)*")')

# `\0A`, `\22`, `\\` in a quoted symbol
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)", re.DOTALL)


def root_of(data: View, start: int, end: int) -> tuple[str | None, str | None]:
    """Op and symbol at the root of the IR in `[start, end)`; None where there is none."""
    inside = False  # of an alias of several lines: `#c = #util.composite<64xi8, [` to `]>`
    while start < end:
        line, newline, _ = bytes(data[start : min(start + _LOOK, end)]).partition(b"\n")
        if line.startswith(_ALIAS):
            inside = line.rstrip().endswith(b"[")
        elif inside and line.startswith((b" ", b"]")):
            inside = not line.startswith(b"]")
        elif line.strip():
            return _read(line)
        start += len(line) + 1
        if not newline and (start := _line_end(data, start - 1, end)) < 0:
            break
    return None, None


def _line_end(data: View, start: int, end: int) -> int:
    """Offset after the next newline; -1 if there is none."""
    for step in range(start, end, _LOOK):
        found = bytes(data[step : min(step + _LOOK, end)]).find(b"\n")
        if found >= 0:
            return step + found + 1
    return -1


@lru_cache(4096)
def _read(line: bytes) -> tuple[str | None, str | None]:
    found = _ROOT.match(line)
    if found is None:
        return None, None
    symbol = found["symbol"]
    if symbol is None and found["quote"] and (named := _NAMED.search(line)):
        symbol = named["symbol"]
    return found["op"].decode(), None if symbol is None else spelled(symbol)


def spelled(symbol: bytes) -> str:
    """A symbol as its author wrote it: without quotes and escapes."""
    if symbol.startswith(b'"'):
        symbol = _ESCAPE.sub(_unescaped, symbol[1:-1])
    return symbol.decode("utf-8", "replace")


def _unescaped(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 16)]) if len(code) == 2 else code
