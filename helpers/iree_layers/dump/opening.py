"""Whatever a learner has in hand → `Dump`: path, stdin, bytes, text, a folder, a stored trace.

What holds no dump is named in the error: a `.vmfb`, IR without headers, a compressed file, UTF-16.
"""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

from ..errors import DumpError
from .dump import Dump
from .header import PREFIX
from .index import index
from .source import FileSource, MemorySource, Source, spool

__all__ = ["opened", "recognised", "trace_in"]

_TODO = "make a dump: iree-compile … --mlir-disable-threading --mlir-print-ir-after-all 2> dump.txt"


def opened(what: Path | str | bytes) -> Dump:
    """See `dump.open_dump`."""
    if isinstance(what, bytes):
        return _checked(MemorySource(what), "memory")
    if isinstance(what, str) and "\n" in what:
        return _checked(MemorySource(what.encode("utf-8", "surrogateescape")), "memory")
    if what == "-":
        return _checked(spool(sys.stdin.buffer, "stdin"), "stdin")
    return _of_path(Path(what).expanduser())


def _of_path(path: Path) -> Dump:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise DumpError(f"{path}: {error.strerror or error}", expected="a dump") from error
    if path.suffix == ".trace":
        return _stored(path)
    if stat.S_ISDIR(mode):
        return _of_folder(path)
    try:
        if stat.S_ISREG(mode):
            return _checked(FileSource(path), str(path))
        with path.open("rb") as stream:
            return _checked(spool(stream, str(path)), str(path))
    except OSError as error:
        raise DumpError(f"{path}: {error.strerror or error}", expected="a dump") from error


def _of_folder(path: Path) -> Dump:
    """The stored trace in a folder that `keep` made, or the dump that its files are."""
    from .folder import open_folder

    stored = trace_in(path)
    return _stored(stored) if stored else open_folder(path)


def trace_in(folder: Path) -> Path | None:
    """The stored trace in a folder, None if there is none.

    Raises:
        DumpError: there are several, or the folder cannot be read.
    """
    try:
        stored = sorted(path for path in folder.iterdir() if path.suffix == ".trace")
    except OSError as error:
        raise DumpError(f"{folder}: {error.strerror or error}", expected="a dump") from error
    if len(stored) > 1:
        names = ", ".join(path.name for path in stored)
        raise DumpError(f"{folder} holds {len(stored)} traces: {names}", todo="open one of them")
    return stored[0] if stored else None


def _stored(path: Path) -> Dump:
    from . import store

    found = store.load(path)
    return found if isinstance(found, Dump) else found.dump


def _checked(source: Source, origin: str) -> Dump:
    """Index a source that should hold a dump, or say what it holds."""
    start = source.read(0, min(source.size, 4096))
    # Before indexing: a large file of another kind should not be read at all.
    if kind := _other_kind(start):
        found, todo = kind
    else:
        dump = index(source, origin=origin)
        if dump.snapshots:
            return dump
        found, todo = recognised(start, source.size)
    source.close()
    raise DumpError(f"{origin} is {found}", expected="lines `// -----// IR Dump …`", todo=todo)


# First bytes of files that people take for a dump.
_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "a zip archive, perhaps a .vmfb: the compiled module", _TODO),
    (b"IREE", "a file of IREE's own (parameters, .irpa)", _TODO),
    (b"ML\xefR", "MLIR bytecode: a program, not a dump", _TODO),
    (b"\x1f\x8b", "compressed with gzip", "gunzip it, or: zcat FILE | iree-layers open -"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "zstdcat FILE | iree-layers open -"),
    (b"\xfd7zXZ", "compressed with xz", "xzcat FILE | iree-layers open -"),
    (b"BZh", "compressed with bzip2", "bzcat FILE | iree-layers open -"),
    (b"\x7fELF", "an executable (ELF)", _TODO),
    (b"\x89PNG", "a picture", _TODO),
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def _other_kind(start: bytes) -> tuple[str, str] | None:
    for magic, found, todo in _MAGIC:
        if start.startswith(magic):
            return found, todo
    if start.startswith(_UTF16):
        return (
            "UTF-16 text, as `>` of Windows PowerShell 5 writes it",
            "convert it: Get-Content FILE | Set-Content -Encoding utf8 NEW",
        )
    return None


# `module {`, `module @m attributes {…}`, `func.func @f(`, `#map = affine_map<`, `util.func`
_IR = re.compile(rb"^\s*(?:builtin\.)?(?:module\b|[#!]\w+ = |[a-z_]+\.[a-z_.]+ (?:\w+ )*@)", re.M)


def recognised(start: bytes, size: int) -> tuple[str, str]:
    """What a text without headers is, from its first bytes, and what to do about it."""
    if size == 0:
        return (
            "empty: the compiler printed nothing",
            "--mlir-print-ir-after-change prints nothing alone; add --mlir-print-ir-after-all",
        )
    if PREFIX in start or b"\r" + PREFIX in start:
        return "text with header lines that do not start a line", "keep the stream as it was"
    if b"// *** IR Dump" in start:
        return "a dump in MLIR's form before 2021", "compile again with a newer IREE"
    if b"*** IR Dump" in start:
        return "a dump of LLVM's passes, not of MLIR's", _TODO
    if _IR.search(start):
        return "IR without pass headers: a program or one phase, not a dump", _TODO
    if re.search(rb"\b(?:error|warning): ", start):
        return "only messages of the compiler, without any IR", "read what they say; " + _TODO
    if b"\x00" in start:
        return "a binary file of an unknown kind", _TODO
    return "text without any pass header", _TODO
