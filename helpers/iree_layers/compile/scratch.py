"""The folder that a compiler run works in, which lives as long as what was captured in it.

Paths into it hold it: `build(p).vmfb` stays a file after the value that `build` returned is gone.
A notebook kernel that is killed cannot tidy up; the next process does it. A living owner holds a
lock on its folder, so a folder without one has no owner any more.
"""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ProgramError

if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # before Python 3.12 only the platform's own kind can be inherited

__all__ = ["Scratch"]

_PREFIX = "iree-layers-run-"
_FRESH = 60.0
"seconds after its making in which a folder may not have its lock yet"


class _Held(_Path):
    """A path that keeps its folder from being deleted."""

    _scratch: Scratch

    def __repr__(self) -> str:
        return f"{_Path.__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[type[Path], tuple[str]]:
        return Path, (str(self),)


class Scratch:
    """A folder of our own; deleted with the last value that holds it, unless you named it.

    A run stands in it and names its files without any path, because the compiler prints the path of
    its input and of its dump folders into the IR.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Make the folder.

        Args:
            folder: a new or empty folder to use and to keep; None for one that is deleted.

        Raises:
            ProgramError: the folder holds something already: two runs would be mixed.
        """
        if folder is None:
            _sweep()
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
            weakref.finalize(self, _delete, self.path, _lock(self.path))
            return
        folder.mkdir(parents=True, exist_ok=True)
        there = sorted(path.name for path in folder.iterdir())
        if there:
            raise ProgramError(
                f"the folder {folder} is not empty: it has {', '.join(there[:3])}",
                expected="a new or empty folder, so that two runs are never mixed",
                todo="give another name, or delete the folder",
            )
        self.path = folder.resolve()

    def hold(self, path: Path) -> Path:
        """The same path, which now keeps this folder alive."""
        held = _Held(path)
        held._scratch = self
        return held

    def __repr__(self) -> str:
        return f"Scratch({self.path.name})"


def _lock(folder: Path) -> int | None:
    """A descriptor that holds the lock on a folder; None if another has it, or there are none."""
    with suppress(ImportError, OSError):
        import fcntl

        held = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(held)
            raise
        return held
    return None


def _delete(folder: Path, lock: int | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        os.close(lock)


@functools.cache
def _sweep() -> None:
    """Delete what owners that were killed have left, once in a process."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            ours = os.name == "posix" and found.st_uid == os.geteuid()
            if ours and time.time() - found.st_mtime > _FRESH:
                lock = _lock(folder)
                if lock is not None:
                    _delete(folder, lock)
