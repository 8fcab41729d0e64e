"""Where a dump's bytes come from: a file, memory, or (in `store`) compressed blocks.

A `Source` gives back byte ranges and knows its size: no more is asked of it. A file is mapped only
while it is indexed and read with `pread` afterwards: whoever compiles again into a file that is
still open here gets an error, where a mapping would kill the process (SIGBUS).
"""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from ..errors import DumpError

__all__ = ["Buffer", "FileSource", "MemorySource", "Source", "View", "buffer_of", "spool"]

Buffer = bytes | mmap.mmap
"Bytes that can be searched."

View = Buffer | memoryview
"Bytes that can be sliced."


class Source(Protocol):
    """Bytes that a dump is sliced from."""

    @property
    def size(self) -> int:
        """Number of bytes."""

    def read(self, start: int, end: int) -> bytes:
        """The bytes of `[start, end)`; both lie within `[0, size]`."""

    def close(self) -> None:
        """Give back files; reading afterwards is an error. May be called twice."""


class MemorySource:
    """A dump that is in memory already."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @property
    def size(self) -> int:
        """Number of bytes."""
        return len(self.data)

    def read(self, start: int, end: int) -> bytes:
        """The bytes of `[start, end)`."""
        return self.data[start:end]

    def close(self) -> None:
        """Nothing to give back."""


class FileSource:
    """A regular file, read where it lies. Its path may be deleted or renamed meanwhile.

    It closes itself, without a warning, when nobody holds it any more.
    """

    def __init__(self, path: str | Path, *, handle: IO[bytes] | None = None) -> None:
        """Open `path`; or take over `handle`, an open regular file, and call it `path`."""
        self.path = Path(path)
        if handle is None:
            self._handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        else:
            with handle:
                handle.flush()
                self._handle = os.dup(handle.fileno())
        self._closer = weakref.finalize(self, os.close, self._handle)
        self._lock = threading.Lock()
        self._stamp = self._now()

    def _now(self) -> tuple[int, int]:
        found = os.fstat(self._handle)
        return found.st_size, found.st_mtime_ns

    @property
    def size(self) -> int:
        """Number of bytes when it was opened."""
        return self._stamp[0]

    def read(self, start: int, end: int) -> bytes:
        """The bytes of `[start, end)`.

        Raises:
            DumpError: the file was closed, or written to since it was opened.
        """
        self.check()
        pieces = []
        while start < end and (piece := self._read(start, end - start)):
            pieces.append(piece)
            start += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _read(self, start: int, count: int) -> bytes:
        """At most `count` bytes: a system call gives at most 2 GiB."""
        if sys.platform != "win32":
            return os.pread(self._handle, count, start)
        with self._lock:  # there, to seek and to read are two steps
            os.lseek(self._handle, start, os.SEEK_SET)
            return os.read(self._handle, count)

    def check(self) -> None:
        """Raise a DumpError if the file was closed, or written to since it was opened."""
        if not self._closer.alive:
            raise DumpError(f"{self.path} is closed", todo="open the dump again")
        if self._now() != self._stamp:
            raise DumpError(
                f"{self.path} changed after it was opened: positions in it mean nothing now",
                todo="open it again; let each compiler run write into a file of its own",
            )

    @contextmanager
    def mapped(self) -> Iterator[Buffer]:
        """The whole file as a read-only mapping, for the time of a search."""
        self.check()
        if self.size == 0:
            yield b""
            return
        found = mmap.mmap(self._handle, self.size, access=mmap.ACCESS_READ)
        try:
            yield found
        finally:
            # While an exception flies, its frames may hold a view; the collector closes it then.
            with contextlib.suppress(BufferError):
                found.close()

    def close(self) -> None:
        """Close the file."""
        self._closer()


@contextmanager
def buffer_of(source: Source) -> Iterator[Buffer]:
    """All bytes of a source, for a search: mapped where possible, else read whole."""
    if isinstance(source, FileSource):
        with source.mapped() as found:
            yield found
    else:
        yield source.read(0, source.size)


def spool(stream: IO[bytes], name: str) -> FileSource:
    """Copy a stream that cannot be mapped (stdin, a pipe) into an unnamed temporary file."""
    kept = tempfile.TemporaryFile(prefix="iree-layers-")
    shutil.copyfileobj(stream, kept, 1 << 20)
    return FileSource(name, handle=kept)
