"""The three ways from a child's stderr to the dump file.

    shim   a preloaded library copies the bytes into a shared mapping of the file (shim.py, shim.c)
    pipe   a 1 MiB pipe and a patient reader: it sleeps after a short read, so that it takes some
           100 kB at a time and is not woken for every token
    file   the child writes to the file itself (Windows; or the child did not load the shim)

A channel is opened with a dump, gives a descriptor and variables for the child, is stepped until
the child has ended, and is finished.
"""

from __future__ import annotations

import os
import select
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .shim import WINDOWS, Control, preload, shim

if TYPE_CHECKING:
    import subprocess

__all__ = ["File", "How", "Pipe", "Preloaded", "best_way", "channel"]

How = Literal["shim", "pipe", "file"]

_PIPE = 1 << 20
# Seconds in which a compiler that prints fills less than half of a wide pipe (of any other pipe).
_PATIENCE, _IMPATIENCE = 0.010, 0.002
_LAST_WORDS = 2.0


def best_way() -> How:
    """The channel that a child started now would get."""
    if shim().path:
        return "shim"
    return "pipe" if os.name == "posix" else "file"


def channel(dump: Path, windows: int = WINDOWS) -> File:
    """The best channel that this machine has, to an empty dump."""
    library = shim().path
    if library:
        return Preloaded(dump, library, windows)
    return Pipe(dump) if os.name == "posix" else File(dump)


class File:
    """The child writes to the dump itself."""

    how: How = "file"

    def __init__(self, dump: Path) -> None:
        self.file = dump.open("wb", buffering=0)
        self.stderr = self.file.fileno()
        self.env: dict[str, str] = {}
        self._ended: int | None = None

    @property
    def size(self) -> int:
        """Bytes in the dump now."""
        return os.fstat(self.file.fileno()).st_size

    def started(self, child: subprocess.Popen[bytes]) -> None:
        """The child has its end: give back ours, and look out for its death."""
        if hasattr(os, "pidfd_open"):
            with suppress(OSError):
                self._ended = os.pidfd_open(child.pid)

    def step(self, seconds: float) -> None:
        """Sleep for at most so long, less if the child ends; move bytes if there are any."""
        if self._ended is None:
            time.sleep(min(seconds, 0.01))
        else:
            select.select([self._ended], [], [], seconds)

    def finish(self) -> None:
        """Complete and close the dump; the child and its children are gone."""
        if self._ended is not None:
            os.close(self._ended)
        self.file.close()


class Pipe(File):
    """We read what the child writes, a megabyte at a time."""

    how: How = "pipe"

    def __init__(self, dump: Path) -> None:
        super().__init__(dump)
        self._ours, self.stderr = os.pipe()
        os.set_blocking(self._ours, False)
        self._at_end = False
        self._pause = _PATIENCE if _widen(self._ours) else _IMPATIENCE

    def started(self, child: subprocess.Popen[bytes]) -> None:
        """The end of the pipe is ours to see only when nobody else holds it."""
        super().started(child)
        self._close_theirs()

    def step(self, seconds: float) -> None:
        """Take what is there; sleep if that was little."""
        if self._at_end:
            super().step(seconds)
            return
        if self._move() < _PIPE:
            time.sleep(min(seconds, self._pause))

    def finish(self) -> None:
        """Take the rest."""
        self._close_theirs()
        try:
            # What was killed may take a moment to let go of the pipe.
            while not self._at_end and select.select([self._ours], [], [], _LAST_WORDS)[0]:
                self._move()
        finally:
            os.close(self._ours)
            super().finish()

    def _move(self) -> int:
        try:
            chunk = os.read(self._ours, _PIPE)
        except BlockingIOError:
            return 0
        self._at_end = not chunk
        left = memoryview(chunk)
        while left:
            left = left[self.file.write(left) :]
        return len(chunk)

    def _close_theirs(self) -> None:
        if self.stderr >= 0:
            os.close(self.stderr)
        self.stderr = -1


class Preloaded(File):
    """The preloaded library writes to the dump; what escapes it is added at the end."""

    def __init__(self, dump: Path, library: Path, windows: int) -> None:
        super().__init__(dump)
        self._scratch = tempfile.TemporaryDirectory(prefix="iree-layers-sink-")
        self._rest = Path(self._scratch.name, "rest")
        self._real = self._rest.open("ab", buffering=0)
        self.stderr = self._real.fileno()
        control = Path(self._scratch.name, "control")
        self._control = Control(control, self.stderr, windows=windows)
        self.env = preload(library, control, dump.absolute())

    @property
    def size(self) -> int:
        """Bytes collected, and those that will be added."""
        return self._control.size + os.fstat(self.stderr).st_size

    def finish(self) -> None:
        """Cut the unused end of the last window; add what came through the real fd 2."""
        try:
            used = self._control.size
            self.how = "shim" if self._control.attached else "file"
            self.file.truncate(used)
            self.file.seek(used)
            with self._rest.open("rb") as rest:
                shutil.copyfileobj(rest, self.file, _PIPE)
        finally:
            self._real.close()
            self._control.close()
            self._scratch.cleanup()
            super().finish()


def _widen(pipe: int) -> bool:
    """Ask for the largest pipe that an ordinary user may have on Linux; whether we got it."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        return int(fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)) >= _PIPE
    return False
