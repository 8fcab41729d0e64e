"""Text in a snapshot's body that is not IR: messages, timing tables, crashes, LLVM's own dumps.

The compiler writes all of it to the stream of the dump. It lands after the IR of the snapshot
before; with threads it may land inside. The rule is to be careful: IR is never called noise, and a
body of which nothing certain can be said stays whole.

IR starts few lines at column 0 (aliases, the root op, its closing bracket): those are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from .search import Search

__all__ = ["Span", "ends_like_ir", "find_noise"]

Span = tuple[int, int, str]
"Start and end within a body, and kind."

_COLOUR = rb"(?:\x1b\[[0-9;]*m)*"

# `add.mlir:2:8: warning: while creating CPU target: ` · `<unknown>:0: error: …` · `-:1:1: note: …`
# `loc("x"): error: …` · `iree-compile: error: …` · `error: cannot open …` (IREE 3.9, 3.13)
# `\x1b[1mt.mlir:1:1: \x1b[0m\x1b[0;1;35mwarning: \x1b[0m…` where stderr is a terminal
_MESSAGE = re.compile(
    _COLOUR
    + rb'(?:[^\s"][^"\n]*?:\d+(?::\d+)?: |<unknown>:0: |loc\([^\n]*\): |[\w./+-]+: )?'
    + _COLOUR
    + rb"(?P<kind>warning|error|remark|note): "
)

# `===-------------------------------------------------------------------------===` (--mlir-timing)
_TIMING = re.compile(rb"===-+===")

# `Please report issues to https://github.com/iree-org/iree/issues and include the crash backtrace.`
# `PLEASE submit a bug report to …` · `Stack dump:` · `LLVM ERROR: …`
# `iree-compile: …/Foo.cpp:12: void f(): Assertion `x' failed.` (IREE 3.9, 3.13)
_CRASH = re.compile(
    rb"Please report issues to https?://|PLEASE submit a bug report|Stack dump(?: without |:)"
    rb"|LLVM ERROR: |[^\n\"]+: Assertion `[^\n]*' failed\."
)

# The same in the middle of a line, when the compiler died while it printed: `%3 = arStack dump:`.
# The backtrace must follow (`0.\tProgram arguments: …`, ` #0 0x00007f…`): a string may say this.
_CRASH_INSIDE = re.compile(
    rb"(?:Please report issues to https?://|PLEASE submit a bug report|Stack dump(?: without |:))"
    rb"(?=[\s\S]{0,4096}?\n(?:0\.\t| ?#0 ))"
)

# `; *** IR Dump After InstCombinePass on f ***` · `# *** IR Dump After Finalize ISel …***:`
# (--print-after-all, LLVM 19 to 24)
_LLVM = re.compile(rb"(?:[;#] )?\*\*\* IR (?:Dump|Pass) ")

# The line below the line of source that a message shows: `       ^`, `  ~~~^~~`
_CARET = re.compile(rb"^[ \t~]*\^[ \t~^]*\r?$", re.MULTILINE)

# What IR looks like at column 0: `module`, `func.func @f`, `%0 = `, `"op"()`, `{-#`, `}`, `// x`
_IR = re.compile(rb"""[#!%^"{}()\[\]<]|//|(?:builtin\.)?module\b|func\b|[a-z_]\w*\.[a-z_]""")

# A module printed after a message (`iree-opt … 2>&1`): IR again, unless a caret line follows, which
# makes it the line of source that the message is about.
_MODULE = re.compile(
    rb"^(?:builtin\.)?module\b[^\n]*\{[ \t\r]*\n(?![ \t~]*\^[ \t~^]*\r?$)", re.MULTILINE
)

_CLEAN = (b"}\n\n", b"}\n\n\n", b")\n\n", b")\n\n\n")
"How a snapshot's IR ends: `}` or `} loc(…)`, and one empty line; at the top level, two."

_LINE = 1024
"Bytes of a line that decide what it is."


def find_noise(body: memoryview, odd: Sequence[int] | None = None) -> tuple[Span, ...]:
    """Places in a body that are surely not IR, in order.

    Args:
        body: the bytes between two header lines.
        odd: starts of the lines at column 0 that are not certainly IR, where they are known.
    """
    starts = [0, *(Search(body).header(0)[1] if odd is None else odd)]
    if ends_like_ir(body) and not any([_kind(_line(body, start)) for start in starts]):
        return ()
    return _careful(bytes(body), starts)


def ends_like_ir(body: memoryview) -> bool:
    """Whether a body ends as the IR of a snapshot does, so that nothing comes after it."""
    return bytes(body[-8:]).replace(b"\r", b"").endswith(_CLEAN)


def _line(body: memoryview, start: int) -> bytes:
    return bytes(body[start : start + _LINE]).split(b"\n", 1)[0]


@lru_cache(4096)
def _kind(line: bytes) -> str:
    """Kind of noise that this line starts, `` if it may be IR."""
    if found := _MESSAGE.match(line):
        return found["kind"].decode()
    if _CRASH.match(line):
        return "crash"
    if _TIMING.match(line):
        return "timing"
    return "llvm" if _LLVM.match(line) else ""


def _careful(body: bytes, starts: Sequence[int]) -> tuple[Span, ...]:
    """Noise of a body that has some, or that does not end like IR."""
    inside = _CRASH_INSIDE.search(body)
    size = inside.start() if inside else len(body)
    events = _events(memoryview(body)[:size], starts)
    spans: list[Span] = []
    done = 0
    over = False
    for (start, kind), limit in zip(events, _limits(events, size), strict=True):
        if start < done:
            continue
        over = (over and start == done) or _ir_ended(body, start)
        end = _end_of(body, start, limit, kind, over=over)
        if end is not None:
            spans.append((start, end, kind or "other"))
            done = end
    if inside:
        spans.append((size, len(body), "crash"))
    return tuple(_joined(spans))


def _events(view: memoryview, starts: Sequence[int]) -> list[tuple[int, str]]:
    """Lines at column 0 that may start noise: start and kind, '' if that is open."""
    rare = [found.start() + 1 for found in re.finditer(rb"\n(?:\x1b|# \*\*\* IR )", view)]
    places = sorted({*(start for start in starts if start < len(view)), *rare})
    lines = ((start, _line(view, start)) for start in places)
    return [(start, kind) for start, line in lines if (kind := _kind(line)) or not _IR.match(line)]


def _limits(events: list[tuple[int, str]], size: int) -> list[int]:
    """For each event, where the next one of a known kind starts."""
    limits = []
    limit = size
    for start, kind in reversed(events):
        limits.append(limit)
        limit = start if kind else limit
    return limits[::-1]


def _end_of(body: bytes, start: int, limit: int, kind: str, *, over: bool) -> int | None:
    """End of the noise at `start`, None if it may be IR. `over`: no IR is expected any more."""
    if kind in ("crash", "timing", "llvm"):
        return limit
    if over:
        again = _MODULE.search(body, start, limit)
        return again.start() if again and again.start() > start else limit
    if not kind:
        return None
    # Inside the IR: the message, and if it shows its source, everything down to the caret.
    caret = _CARET.search(body, start, limit)
    end = body.find(b"\n", caret.start() if caret else start, limit) + 1
    return end or limit


def _ir_ended(body: bytes, start: int) -> bool:
    """Whether the IR is complete before `start`: a line at column 0, then an empty line."""
    end = start
    while end and body[end - 1] in b"\r\n":
        end -= 1
    first = body[body.rfind(b"\n", 0, end) + 1 : end][:1]
    return body.count(b"\n", end, start) >= 2 and first not in (b"", b" ", b"\t")


def _joined(spans: list[Span]) -> Iterator[Span]:
    """Neighbours of one kind as one, where that kind is a block of many lines."""
    held: Span | None = None
    for span in spans:
        if held and held[1] == span[0] and held[2] == span[2] in ("crash", "timing", "llvm"):
            held = (held[0], span[1], span[2])
            continue
        if held:
            yield held
        held = span
    if held:
        yield held
