"""A trace or a dump in one file, `NAME.trace`, opened again without reading it all.

    save(t, "mlp.trace")        # a Trace with its phases, module and files, or a Dump
    t = load("mlp.trace")       # reads the index; text is unpacked when you ask for it

The container is that of `blocks.py`: every distinct text once, zstd over megabytes of them. The
dump's bytes come back exactly, noise included. Equal values give equal files. The `.irpa` files of
external parameters are not in it, only their paths.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ..compile.program import Program
from ..compile.scratch import Scratch
from ..compile.target import Target
from ..compile.toolchain import Versions
from ..errors import DumpError
from .blocks import BlockReader, BlockWriter, is_block_file
from .columns import pack_dump, unpack_dump
from .folder import open_folder
from .opening import trace_in
from .trace import Trace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .dump import Dump

__all__ = ["SUFFIX", "is_stored", "load", "save"]

SUFFIX = ".trace"
_CHUNK = 16 << 20
"pieces are at most that long, so that nothing large is held in memory"

is_stored = is_block_file

_Entry = tuple[str, list[int]]
"name of a file below the trace's folder, and the pieces it is made of"


def save(what: Trace | Dump, path: str | Path) -> Path:
    """Write a trace or a dump into one file, and return its path.

    Args:
        what: the value to keep.
        path: the file, `.trace` is added to a name without suffix; or a folder.

    Raises:
        DumpError: its bytes cannot be read any more, e.g. the dump was closed or overwritten.
    """
    path = Path(path)
    if path.is_dir():
        path /= _stem(what)
    if not path.suffix:
        path = path.with_name(path.name + SUFFIX)
    # First to a file beside it: what is there already stays whole if this fails.
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            _write(what, BlockWriter(out))
        part.chmod(0o666 & ~_umask())
        part.replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
    return path


def load(path: str | Path) -> Trace | Dump:
    """Open what `save` wrote, the folder of a trace, or a folder that iree-compile wrote.

    Raises:
        DumpError: no such file, not a stored trace, cut short, damaged, or from a newer version.
    """
    path = Path(path)
    if path.is_dir():
        stored = trace_in(path)
        if stored is None:
            return open_folder(path)
        path = stored
    if not path.is_file():
        near = difflib.get_close_matches(path.name, _names(path.parent), n=1)
        raise DumpError(
            f"there is no file {path}", todo=f"did you mean {near[0]!r}?" if near else ""
        )
    reader = BlockReader(path)
    try:
        return _read(reader)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        reader.close()
        raise reader.damaged(f"its index makes no sense ({error!r})") from error
    except DumpError:
        reader.close()
        raise


def _stem(what: Trace | Dump) -> str:
    name = what.program.name if isinstance(what, Trace) else Path(what.origin).stem
    return re.sub(r"[^\w.-]+", "_", name).strip(".") or "dump"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []


# Writing


def _write(what: Trace | Dump, writer: BlockWriter) -> None:
    dump = what.dump if isinstance(what, Trace) else what
    index: dict[str, Any] = {"dump": pack_dump(dump, writer.add, _CHUNK)}
    if isinstance(what, Trace):
        writer.end_block()
        index["trace"] = _pack_trace(what, writer)
    writer.finish(index)


def _pack_trace(trace: Trace, writer: BlockWriter) -> dict[str, Any]:
    program = trace.program
    # Alike beside alike: zstd finds what two assembly files have in common.
    files = sorted(trace.files, key=lambda file: (file.suffix, file.name))
    packed: dict[str, Any] = {
        "phases": {name: _pack_file(file, "phases", writer) for name, file in trace.phases.items()},
        "order": list(trace.phases),
    }
    writer.end_block()
    return packed | {
        "files": [_pack_file(file, "files", writer) for file in files],
        "vmfb": _pack_file(trace.vmfb, "", writer) if trace.vmfb else None,
        "program": {
            "name": program.name,
            "source": _pieces(program.source, writer),
            "road": program.road,
            "flags": program.flags,
            "parameters": [(scope, str(file)) for scope, file in program.parameters],
            "commands": program.commands,
        },
        "target": asdict(trace.target),
        "versions": asdict(trace.versions),
        "command": trace.command,
        "exit": trace.exit,
        "seconds": trace.seconds,
        "how": trace.how,
        "notes": trace.notes,
    }


def _pack_file(file: Path, folder: str, writer: BlockWriter) -> _Entry:
    with file.open("rb") as handle:
        chunks = iter(lambda: handle.read(_CHUNK), b"")
        return f"{folder}/{file.name}".lstrip("/"), [writer.add(chunk) for chunk in chunks]


def _pieces(data: bytes, writer: BlockWriter) -> list[int]:
    return [writer.add(data[at : at + _CHUNK]) for at in range(0, len(data), _CHUNK)]


# Reading


def _read(reader: BlockReader) -> Trace | Dump:
    dump = unpack_dump(reader.index["dump"], reader)
    packed = reader.index.get("trace")
    if packed is None:
        return dump
    source = b"".join(map(reader.piece, packed["program"].pop("source")))
    parameters = tuple((scope, Path(file)) for scope, file in packed["program"].pop("parameters"))
    target = packed["target"]
    return Trace(
        program=Program(source=source, parameters=parameters, **_tuples(packed["program"])),
        target=Target(**_tuples(target)),
        command=str(packed["command"]),
        versions=Versions(**packed["versions"]),
        dump=dump,
        kept=_Unpacked(reader, packed),
        exit=int(packed["exit"]),
        seconds=float(packed["seconds"]),
        how=str(packed["how"]),
        notes=tuple(packed["notes"]),
    )


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}


class _Unpacked:
    """The files of a stored trace, unpacked into a scratch folder when they are asked for."""

    def __init__(self, reader: BlockReader, packed: Mapping[str, Any]) -> None:
        self._reader = reader
        self._phases = {
            str(name): self._checked(packed["phases"][name]) for name in packed["order"]
        }
        self._files = [self._checked(entry) for entry in packed["files"]]
        self._vmfb = self._checked(packed["vmfb"]) if packed["vmfb"] else None

    def _checked(self, entry: Sequence[Any]) -> _Entry:
        """An entry whose name stays inside the folder, whoever wrote it."""
        name, pieces = entry
        parts = PurePosixPath(name).parts
        inside = parts and all(_PLAIN_NAME.fullmatch(part) and part.strip(".") for part in parts)
        if not inside or "/".join(parts) != name:
            raise self._reader.damaged(f"it names a file {name!r}")
        for number in pieces:
            self._reader.length(number)
        return name, list(pieces)

    @cached_property
    def _scratch(self) -> Scratch:
        return Scratch()

    def _unpack(self, entry: _Entry) -> Path:
        name, pieces = entry
        path = self._scratch.path / name
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as out:
            out.writelines(self._bytes(pieces))
        return self._scratch.hold(path)

    def _bytes(self, pieces: Sequence[int]) -> Iterator[bytes]:
        return map(self._reader.piece, pieces)

    @cached_property
    def phases(self) -> Mapping[str, Path]:
        """Phase name to the IR at its end."""
        return {name: self._unpack(entry) for name, entry in self._phases.items()}

    @cached_property
    def vmfb(self) -> Path | None:
        """The compiled module."""
        return self._unpack(self._vmfb) if self._vmfb else None

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """Files per executable."""
        return tuple(sorted(self._unpack(entry) for entry in self._files))


# configured_module_mlp$async_dispatch_0.mlir: whatever a file system takes, but no separators,
# drives or control characters
_PLAIN_NAME = re.compile(r"[^/\\:\x00-\x1f]+")
