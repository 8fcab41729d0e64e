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
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from ..errors import DumpError

__all__ = ["Buffer", "FileSource", "MemorySource", "Source", "buffer_of", "spool"]

Buffer = bytes | mmap.mmap | memoryview


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
    """A regular file, read where it lies. Its path may be deleted or renamed meanwhile."""

    def __init__(self, path: str | Path, *, handle: IO[bytes] | None = None) -> None:
        """Open `path`; or take over `handle`, an open regular file, and call it `path`."""
        self.path = Path(path)
        self._file: IO[bytes] = handle if handle is not None else self.path.open("rb")
        self._lock = threading.Lock()
        self._stamp = self._now()

    def _now(self) -> tuple[int, int]:
        found = os.fstat(self._file.fileno())
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
        if self._file.closed:
            raise DumpError(f"{self.path} is closed", todo="open the dump again")
        self.check()
        with self._lock:
            self._file.seek(start)
            return self._file.read(end - start)

    def check(self) -> None:
        """Raise a DumpError if the file was written to since it was opened."""
        if self._now() != self._stamp:
            raise DumpError(
                f"{self.path} changed after it was opened: positions in it mean nothing now",
                todo="open it again; let each compiler run write into a file of its own",
            )

    @contextmanager
    def mapped(self) -> Iterator[Buffer]:
        """The whole file as a read-only mapping, for the time of a search."""
        if self.size == 0:
            yield b""
            return
        found = mmap.mmap(self._file.fileno(), self.size, access=mmap.ACCESS_READ)
        try:
            yield found
        finally:
            # While an exception flies, its frames may hold a view; the collector closes it then.
            with contextlib.suppress(BufferError):
                found.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


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
    kept: IO[bytes] = tempfile.TemporaryFile(prefix="iree-layers-")  # noqa: SIM115 (kept open)
    shutil.copyfileobj(stream, kept, 1 << 20)
    kept.flush()
    return FileSource(name, handle=kept)
