"""What a compiler said beside the IR: errors, warnings, the words of a crash, the last pass.

All of it stands in one file, the dump. The file is mapped and searched for a few fixed words, so
that this costs nothing on a dump of a gigabyte; the exact split is the work of `dump/`.
"""

from __future__ import annotations

import mmap
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["HEADER", "Said", "pass_of", "read_said"]

HEADER = b"// -----// IR Dump "
_LIMIT = 64 << 10
_WIDTH = 300

# 3.13.0: mlp.mlir:2:23: error: custom op 'tosa.custom' expected 'operator_name'
_DIAGNOSTIC = re.compile(
    rb"(?:\S+:\d+:\d+|<unknown>:\d+|loc\(.*\)|[\w.-]+): (error|warning|note): "
)
# MLIR draws a line of source and a caret under it:        ^
_CARET = re.compile(rb"\s*\^~*\s*")
# 3.13.0: … IR Dump After CSEPass: cse //----- //
# 3.13.0: … IR Dump After ReduceOpVariants Failed: torch-reduce-op-variants{…} //----- //
_ARGUMENT = re.compile(rb": ([\w.-]+)")
# 3.11.0: … IR Dump After Canonicalizer (canonicalize) //----- //
_OLD_ARGUMENT = re.compile(rb"\(([\w.-]+)\)(?: \(.*\))? //-----")
# 3.13.0: Please report issues to https://github.com/iree-org/iree/issues and include the crash …
# LLVM:   PLEASE submit a bug report to …
# assert: iree-compile: Foo.cpp:12: void f(): Assertion `x' failed.
_CRASH = re.compile(
    rb"^(?:Please report issues to |PLEASE submit a bug report|Stack dump:|LLVM ERROR: |"
    rb"[^\n]{0,500}: Assertion `)",
    re.MULTILINE,
)
# 3.13.0:  #4 0x00007f20df394f70 mlir::iree_compiler::DispatchCreation::decideFusableLinalgOps(…
_FRAME = re.compile(
    r"^ *#\d+ 0x[0-9a-f]+ (mlir::(?:[\w:~]|\(anonymous namespace\))+)", re.MULTILINE
)


@dataclass(frozen=True)
class Said:
    """What stands in a dump beside the IR."""

    any_snapshot: bool
    "at least one snapshot was printed"
    last_pass: str
    "argument of the last pass whose IR was printed, or ''"
    failed_pass: str
    "argument of the pass that failed (the innermost one), or ''"
    diagnostics: str
    "errors, warnings and notes, and what was written before the first snapshot"
    crash: str
    "the last words of a crash, '' if there are none"

    @property
    def place(self) -> str:
        """Function of the compiler that crashed, e.g. `mlir::Foo::bar`, without arguments."""
        found = _FRAME.search(self.crash)
        return found[1].replace("(anonymous namespace)::", "") if found else ""

    @property
    def text(self) -> str:
        """All of it, without the IR."""
        return "\n".join(part for part in (self.diagnostics, self.crash) if part)

    @property
    def errors(self) -> str:
        """The diagnostics without warnings; everything if there are only warnings."""
        blocks = re.split(r"\n(?=\S+: (?:error|warning): )", self.diagnostics)
        kept = [block for block in blocks if ": warning: " not in block.partition("\n")[0]]
        return "\n".join(kept) or self.diagnostics


def read_said(dump: Path) -> Said:
    """Search a dump for what is not IR."""
    with _mapped(dump) as data:
        first, last = _headers(data)
        crash = _CRASH.search(data, max(last, 0))
        end = crash.start() if crash else len(data)
        said = data[:first] if first >= 0 else data[:end]
        among = _diagnostics(data, first, end) if first >= 0 else ()
        blocks = [said[:_LIMIT].rstrip(b"\n"), *among]
        return Said(
            any_snapshot=first >= 0,
            last_pass=pass_of(data, last) if last >= 0 else "",
            failed_pass=_failed(data),
            diagnostics=_text(b"\n".join(block for block in blocks if block)),
            crash=_text(data[crash.start() : crash.start() + _LIMIT]) if crash else "",
        )


@contextmanager
def _mapped(path: Path) -> Iterator[mmap.mmap | bytes]:
    with path.open("rb") as file:
        if path.stat().st_size == 0:
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data


def _headers(data: mmap.mmap | bytes) -> tuple[int, int]:
    """Offsets of the first and the last header line, -1 and -1 if there is none."""
    if data[: len(HEADER)] == HEADER:
        return 0, max(0, data.rfind(b"\n" + HEADER) + 1)
    first = data.find(b"\n" + HEADER)
    return (-1, -1) if first < 0 else (first + 1, data.rfind(b"\n" + HEADER) + 1)


def pass_of(data: mmap.mmap | bytes, header: int) -> str:
    """Argument of the pass in the header line at an offset, '' if it has none."""
    line = data[header : _line_end(data, header)]
    found = _OLD_ARGUMENT.search(line) or _ARGUMENT.search(line)
    return _text(found[1]) if found else ""


def _failed(data: mmap.mmap | bytes) -> str:
    at = -1
    for mark in (b" Failed: ", b" Failed ("):
        at = data.find(mark)
        while at >= 0:
            start = data.rfind(b"\n", 0, at) + 1
            if data[start : start + len(HEADER)] == HEADER:
                return pass_of(data, start)
            at = data.find(mark, at + 1)
    return ""


def _diagnostics(data: mmap.mmap | bytes, start: int, end: int) -> list[bytes]:
    """Diagnostics among the IR, each with its line of source and caret, in order."""
    found: dict[int, bytes] = {}
    for word in (b": error: ", b": note: "):
        size = 0
        at = data.find(word, start, end)
        while at >= 0 and size < _LIMIT:
            line = data.rfind(b"\n", 0, at) + 1
            stop = _line_end(data, line)
            if _DIAGNOSTIC.match(data[line:stop]):
                stop = _with_caret(data, stop)
                found[line] = data[line:stop]
                size += min(stop - line, _WIDTH)
            at = data.find(word, stop, end)
    return [found[line] for line in sorted(found)]


def _with_caret(data: mmap.mmap | bytes, stop: int) -> int:
    source = _line_end(data, stop + 1)
    caret = _line_end(data, source + 1)
    return caret if _CARET.fullmatch(data[source + 1 : caret]) else stop


def _line_end(data: mmap.mmap | bytes, start: int) -> int:
    end = data.find(b"\n", start)
    return end if end >= 0 else len(data)


def _text(raw: bytes) -> str:
    lines = raw.decode("utf-8", "replace").split("\n")
    return "\n".join(line if len(line) <= _WIDTH else line[:_WIDTH] + " …" for line in lines)
