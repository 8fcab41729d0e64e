"""A compiled module (`.vmfb`) as bytes with a content hash, refused early if it is none.

In: bytes, a path, or a value that has a `.vmfb` (a `Built`, a `Trace`). Out: a `Module`. The first
bytes and the length decide, so that IR text, a dump, an executable or half a file never reaches
the runtime. A `.vmfb` of 3.13.0 is a zip whose first member is `module.fb`, stored; with
`--iree-vm-emit-polyglot-zip=false` it is that flatbuffer alone (u32 length, `IREE` at offset 8).
"""

from __future__ import annotations

import struct
import zipfile
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import xxhash

from ..compile.kind import foreign_content
from ..errors import RunError

__all__ = ["Module", "open_module", "verify"]

_BUILD = "compile it first: build(program).vmfb, or iree-compile program.mlir … -o program.vmfb"


@dataclass(frozen=True, slots=True)
class Module:
    """The bytes of one compiled module."""

    data: bytes = field(repr=False)
    digest: str
    "xxh3-128 of the bytes, hex: equal digest, equal module"
    path: Path | None
    "where it was read from, None if it was given as bytes"

    @property
    def origin(self) -> str:
        """How messages name it: the file's name, or its size."""
        return self.path.name if self.path else f"the module of {len(self.data)} bytes"


def open_module(source: object) -> Module:
    """Read a module and look at its first bytes.

    Args:
        source: bytes, the path of a file, or anything with a `.vmfb` (`Built`, `Trace`).

    Raises:
        RunError: there is no such file, or what is in it is no compiled module; the message says
            what it is instead and what to do with it.
    """
    if isinstance(source, Module):
        return source
    if not isinstance(source, (str, Path, bytes, bytearray, memoryview)):
        source = _held(source)
    if isinstance(source, str) and "\n" in source:
        source = source.encode()
    path = Path(source) if isinstance(source, (str, Path)) else None
    data = _read(path) if path else bytes(source)  # type: ignore[arg-type]
    _refuse(data, path)
    return Module(data, xxhash.xxh3_128_hexdigest(data), path)


def verify(module: Module) -> None:
    """Compare every member with its checksum: a flipped bit in machine code would crash.

    Raises:
        RunError: a member is damaged.
    """
    if not module.data.startswith(b"PK\x03\x04"):
        return
    try:
        with zipfile.ZipFile(BytesIO(module.data)) as archive:
            bad = archive.testzip()
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise _damaged(module.origin, f"its end is missing ({error})") from error
    if bad is not None:
        raise _damaged(module.origin, f"{bad} does not match its checksum")


def _held(source: object) -> str | Path | bytes:
    held = getattr(source, "vmfb", source)
    if isinstance(held, (str, Path, bytes)):
        return held
    if held is None and source is not None:
        raise RunError(
            f"this {type(source).__name__} has no compiled module",
            expected="a compile that went through to the end",
            todo="look at its last snapshot and at the compiler's message",
        )
    raise RunError(
        f"{repr(source)[:60]} is no compiled module",
        expected="the bytes of a .vmfb, the path of one, or a Built or Trace",
        todo=_BUILD,
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        near = sorted(one.name for one in path.parent.glob("*.vmfb"))[:5]
        raise RunError(
            f"there is no file {path}",
            expected="a .vmfb file",
            todo=f"that folder has {', '.join(near)}" if near else _BUILD,
        ) from error
    except (OSError, ValueError) as error:
        what = "is a folder" if path.is_dir() else f"cannot be read: {error}"
        raise RunError(f"{path} {what}", expected="a .vmfb file", todo=_BUILD) from error


def _refuse(data: bytes, path: Path | None) -> None:
    name = path.name if path else "what was given"
    if data.startswith(b"PK\x03\x04"):
        _refuse_zip(data, name)
    elif data[8:12] == b"IREE" and len(data) >= 16:
        _refuse_short(data, name)
    else:
        raise RunError(
            f"{name} is no compiled module: {_kind(data)}",
            expected="a .vmfb, as iree-compile writes it",
            todo=_BUILD,
        )


def _refuse_zip(data: bytes, name: str) -> None:
    # local file header: name length at 26, extra length at 28, name from 30
    if len(data) < 30 or data[30:39] != b"module.fb":
        raise RunError(
            f"{name} is a zip file without module.fb at its start",
            expected="a .vmfb, as iree-compile writes it",
            todo=_BUILD,
        )
    label, extra = struct.unpack_from("<HH", data, 26)
    _refuse_short(data[30 + label + extra :], name)
    # the directory of a zip stands at its end; a cut file has none
    if not zipfile.is_zipfile(BytesIO(data)):
        raise _damaged(name, f"its end is missing after {len(data)} bytes")


def _refuse_short(flatbuffer: bytes, name: str) -> None:
    if len(flatbuffer) < 16 or flatbuffer[8:12] != b"IREE":
        raise _damaged(name, "module.fb has no IREE mark")
    (length,) = struct.unpack_from("<I", flatbuffer)
    if length + 4 > len(flatbuffer):
        raise _damaged(name, f"its module needs {length} bytes, {len(flatbuffer) - 4} are there")


def _damaged(name: str, why: str) -> RunError:
    return RunError(
        f"{name} is damaged or cut short: {why}",
        expected="a complete .vmfb",
        todo="compile it again, or copy it again",
    )


def _kind(data: bytes) -> str:
    kind = foreign_content(data)
    if kind is not None:
        return kind.what
    text = "MLIR, the compiler's input" if not data.startswith(b"ML\xefR") else "MLIR bytecode"
    # What `--mlir-elide-elementsattrs-if-larger` and `dense_resource<__elided__>` leave behind
    elided = b"__elided__" in data
    return text + (
        " (and its constants are elided: it cannot be compiled either)" if elided else ""
    )
