"""The folder that a compiler run works in, which lives as long as what was captured in it.

Paths into it hold it: `build(p).vmfb` stays a file after the value that `build` returned is gone.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ProgramError

if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # before Python 3.12 only the platform's own kind can be inherited

__all__ = ["Scratch"]


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
            self.path = Path(tempfile.mkdtemp(prefix="iree-layers-"))
            weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
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
