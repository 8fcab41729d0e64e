"""One header line of a pass dump → `Header`. Both MLIR grammars, and lines of neither.

The grammar changed with MLIR's PR #195198 (May 2026; IREE 3.12 is the first release with it):

    // -----// IR Dump After CSEPass: cse //----- //                           IREE ≥ 3.12
    // -----// IR Dump After CSE (cse) //----- //                              IREE ≤ 3.11
    // -----// IR Dump After CSE //----- //                                    MLIR of 2021

At module scope ` ('util.func' operation: @mm)` stands before ` //----- //`, in all three.
A class name may hold `::`, blanks and brackets, options nest, and a symbol is printed as it is,
without quotes or escapes. So no single split works; the line is peeled from both ends instead.
A symbol with a newline even breaks the line: `continued` finds the end of such a header.
"""

from __future__ import annotations

import re

from .snapshot import Header, When

__all__ = ["PREFIX", "UNKNOWN", "continued", "parse_header"]

PREFIX = b"// -----// IR Dump "
"What a header line starts with; only at the start of a line is it one (MLIR escapes newlines)."

UNKNOWN = Header(None, "", "", "", failed=False, op=None, symbol=None)
"A header-like line that no known grammar fits."

_END = " //----- //"

# `… CSEPass: cse ('util.func' operation: @mm)` (IREE 3.13). The symbol is raw: all the rest.
_ANCHOR = re.compile(r" \('(?P<op>[^']+)' operation(?:: @(?P<symbol>.+))?\)\Z", re.DOTALL)

# `canonicalize{cse-between-iterations=false    max-iterations=10 …}`, `unknown<(a n)::Foo>` (3.13)
_PIPELINE = re.compile(r"(?P<argument>unknown<.*>|[^\s{}()]+)(?P<options>\{.*\})?\Z", re.DOTALL)

# `Canonicalizer (canonicalize)`, `mlir::(anonymous namespace)::Foo Failed (foo)` (IREE 3.1–3.11)
_BRACKETED = re.compile(r"(?P<name>.+) \((?P<argument>[\w.\-]+)\)\Z", re.DOTALL)

# `Canonicalizer`, `mlir::(anonymous namespace)::FooPass`, `Foo<int, 3>`: a C++ type's name
_CLASS = re.compile(r"[\w:<>(),~&* \-$']+\Z")


def parse_header(line: bytes) -> Header:
    """What one header line says; `UNKNOWN` if it says nothing that is understood.

    The line's end (LF, CRLF or none) does not matter. Never raises, whatever the bytes.
    """
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    prefix = PREFIX.decode()
    if not (text.startswith(prefix) and text.endswith(_END)):
        return UNKNOWN
    word, _, rest = text[len(prefix) : -len(_END)].partition(" ")
    if word not in ("Before", "After"):
        return UNKNOWN
    rest, op, symbol = _without_anchor(rest)
    return _named("Before" if word == "Before" else "After", rest, op, symbol)


# `… CSEPass: cse ('util.func' operation: @two` and on the next line `lines) //----- //` (3.13)
_BROKEN = re.compile(rb"// -----// IR Dump [^\n]* \('[^'\n]+' operation: @[^\n]*\n")
_REST = re.compile(rb"(?:(?!// -----// IR )[^\n]+\n)*?(?!// -----// IR )[^\n]*\) //----- //\r?\n")


def continued(text: bytes, length: int) -> int:
    """Length of a header that a newline in its symbol breaks, 0 if it is not one.

    Args:
        text: the dump from the header's start on.
        length: length of its first line, which `parse_header` did not understand.
    """
    if not _BROKEN.fullmatch(text, 0, length):
        return 0
    found = _REST.match(text, length)
    return found.end() if found else 0


def _without_anchor(rest: str) -> tuple[str, str | None, str | None]:
    """Take the op and symbol off the end.

    The first bracket counts: a symbol may hold a text that looks like a second one.
    """
    found = _ANCHOR.search(rest)
    if found is None:
        return rest, None, None
    return rest[: found.start()], found["op"], found["symbol"]


def _named(when: When, rest: str, op: str | None, symbol: str | None) -> Header:
    """Read class and pipeline, new form first: `: ` occurs in no old header and in no class."""
    name, colon, pipeline = rest.partition(": ")
    argument = options = ""
    if colon:
        found = _PIPELINE.match(pipeline)
        if found is None:
            return UNKNOWN
        argument, options = found["argument"], found["options"] or ""
    elif found := _BRACKETED.match(rest):
        name, argument = found["name"], found["argument"]
    failed = name.endswith(" Failed")
    name = name.removesuffix(" Failed")
    if not _CLASS.match(name):
        return UNKNOWN
    return Header(when, name, argument, options, failed=failed, op=op, symbol=symbol)
