"""Run a child with its stderr in a file, and end it and its children whatever happens.

The dump may be read while it grows; with the preloaded library its size is what `tick` says, the
file itself is longer until the child has ended.
"""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .channel import How, channel
from .shim import WINDOWS
from .toolchain import stop_group

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .channel import File

__all__ = ["Drained", "drain"]

_TICK = 0.1


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
    way = channel(dump, windows)
    try:
        with Path(stdout or os.devnull).open("wb") as out:
            child = subprocess.Popen(
                argv,
                cwd=cwd,
                env={**os.environ, **(env or {}), **way.env},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=way.stderr,
                start_new_session=True,
            )
        try:
            way.started(child)
            late = _await(child, way, None if timeout is None else started + timeout, tick)
        finally:
            stop_group(child)
    finally:
        way.finish()
    return Drained(child.returncode, time.monotonic() - started, way.how, late)


def _await(
    child: subprocess.Popen[bytes],
    way: File,
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
            tick(way.size)
        way.step(_TICK if deadline is None else min(_TICK, deadline - now))
    return False


def _has_ended(child: subprocess.Popen[bytes]) -> bool:
    # Not poll(): as long as the child is not reaped, its number is a safe name for its group.
    if hasattr(os, "waitid"):
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, child.pid, options) is not None
    return child.poll() is not None
