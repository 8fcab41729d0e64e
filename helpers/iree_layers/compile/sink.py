"""Where a child's stderr goes: the dump file, as fast as this machine can.

    shim   a preloaded library copies the bytes into a shared mapping of the file (shim.py, shim.c)
    pipe   a 1 MiB pipe and a patient reader: it sleeps after a short read, so that it takes some
           100 kB at a time and is not woken for every token
    file   the child writes to the file itself (Windows; or the child did not load the shim)

All give the same bytes. The dump may be read while it grows; with the shim its size is what `tick`
says, the file itself is longer until the child has ended.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .shim import WINDOWS, Control, preload, shim
from .toolchain import stop_group

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Drained", "How", "drain"]

How = Literal["shim", "pipe", "file"]

_PIPE = 1 << 20
# Seconds in which a compiler that prints fills less than half of a wide pipe (of any other pipe).
_PATIENCE, _IMPATIENCE = 0.010, 0.002
_TICK = 0.1
_LAST_WORDS = 2.0


@dataclass(frozen=True)
class Drained:
    """A child that has ended; its stderr is in the dump file."""

    exit: int
    "exit code; negative is minus the number of the signal that killed it"
    seconds: float
    "wall time"
    how: How
    late: bool
    "it was killed because it took longer than the timeout"


def drain(
    argv: Sequence[str | Path],
    dump: Path,
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdout: Path | None = None,
    timeout: float | None = None,
    tick: Callable[[int], None] | None = None,
    windows: int = WINDOWS,
) -> Drained:
    """Run a child to its end with its stderr, and that of its children, in `dump`.

    Whatever happens (a crash, a timeout, Ctrl-C) the child and its children are gone afterwards and
    `dump` holds what they wrote.

    Args:
        argv: program and arguments.
        dump: file to write, replaced if it exists.
        cwd: folder to run in.
        env: variables on top of the inherited ones.
        stdout: file for its stdout; dropped if None.
        timeout: seconds until it is killed.
        tick: called about ten times a second with the number of bytes in the dump.
        windows: for tests of a full disk: how many 16 MiB windows the shim may use.

    Raises:
        OSError: the program cannot be started, or the dump cannot be written.
    """
    started = time.monotonic()
    channel = _channel(dump, windows)
    try:
        with Path(stdout or os.devnull).open("wb") as out:
            child = subprocess.Popen(
                argv,
                cwd=cwd,
                env={**os.environ, **(env or {}), **channel.env},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=channel.stderr,
                start_new_session=True,
            )
        try:
            channel.started(child)
            late = _await(child, channel, None if timeout is None else started + timeout, tick)
        finally:
            stop_group(child)
    finally:
        channel.finish()
    return Drained(child.returncode, time.monotonic() - started, channel.how, late)


def _await(
    child: subprocess.Popen[bytes],
    channel: _File,
    deadline: float | None,
    tick: Callable[[int], None] | None,
) -> bool:
    """Wait until the child has ended (False) or the deadline is over (True)."""
    following = 0.0
    while not _has_ended(child):
        now = time.monotonic()
        if deadline is not None and now >= deadline:
            return True
        if tick and now >= following:
            following = now + _TICK
            tick(channel.size)
        channel.step(_TICK if deadline is None else min(_TICK, deadline - now))
    return False


def _has_ended(child: subprocess.Popen[bytes]) -> bool:
    # Not poll(): as long as the child is not reaped, its number is a safe name for its group.
    if hasattr(os, "waitid"):
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, child.pid, options) is not None
    return child.poll() is not None


def _channel(dump: Path, windows: int) -> _File:
    library = shim().path
    if library:
        return _Shim(dump, library, windows)
    return _Pipe(dump) if os.name == "posix" else _File(dump)


class _File:
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


class _Pipe(_File):
    """We read what the child writes, a megabyte at a time."""

    how: How = "pipe"

    def __init__(self, dump: Path) -> None:
        super().__init__(dump)
        self._ours, self.stderr = os.pipe()
        os.set_blocking(self._ours, False)
        self._at_end = False
        self._pause = _PATIENCE if _widen(self._ours) else _IMPATIENCE

    def started(self, child: subprocess.Popen[bytes]) -> None:
        super().started(child)
        self._close_theirs()

    def step(self, seconds: float) -> None:
        if self._at_end:
            super().step(seconds)
            return
        if self._move() < _PIPE:
            time.sleep(min(seconds, self._pause))

    def finish(self) -> None:
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


class _Shim(_File):
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
        return self._control.size + os.fstat(self.stderr).st_size

    def finish(self) -> None:
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
