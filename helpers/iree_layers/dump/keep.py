"""A trace as a folder that a person can look into: `iree-layers trace … --out DIR`.

    NAME.trace        all of it in one file, for `iree-layers open` and `load`
    NAME.mlir         the program
    NAME.vmfb         the module
    command.sh        the line that made it
    phases/           the whole program at the end of each phase
    files/            per executable: source, LLVM IR, assembly, object

The dump itself is only in the `.trace`: it is mostly repetition, and 40 times smaller there.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from ..errors import DumpError
from .store import save
from .trace import Trace

__all__ = ["check_folder", "keep"]

_PART = ".iree-layers-part-"
_BESIDE = ("command.sh", "phases", "files")


def keep(trace: Trace, folder: Path) -> Path:
    """Write a trace into a folder, and give the folder.

    A folder that holds an earlier trace of the same program is replaced; any other folder must be
    new or empty, so that nothing of yours is ever overwritten. All is written before anything is
    replaced: if that fails, what was there stays, and nothing half-done is left.

    Raises:
        DumpError: the folder holds something else, or cannot be written.
    """
    check_folder(folder, trace.program.name)
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=_PART, dir=folder))
        try:
            _write(trace, part)
            _swap(part, folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except BaseException as error:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise _unwritable(folder, error) from error
        raise
    return folder


def check_folder(folder: Path, name: str) -> bool:
    """Whether a folder holds an earlier trace of a program, which `keep` would replace.

    Raises:
        DumpError: the folder holds something else, or cannot be used.
    """
    try:
        if not folder.exists():
            _check_parent(folder)
            return False
        if not folder.is_dir():
            raise DumpError(f"{folder} is a file", expected="a folder", todo="choose another --out")
        with tempfile.TemporaryDirectory(prefix=_PART, dir=folder):
            pass
        there = sorted(each.name for each in folder.iterdir() if not each.name.startswith(_PART))
    except OSError as error:
        raise _unwritable(folder, error) from error
    ours = {*(f"{name}.{kind}" for kind in ("trace", "mlir", "vmfb")), *_BESIDE}
    if there and (not ours.issuperset(there) or f"{name}.trace" not in there):
        raise DumpError(
            f"{folder} holds {', '.join(there[:3])}{', …' if len(there) > 3 else ''}",
            expected="a new or empty folder, or an earlier trace of the same program",
            todo="choose another --out, or delete the folder",
        )
    return bool(there)


def _check_parent(folder: Path) -> None:
    """Make and remove a folder in the nearest one that is there."""
    above = next((each for each in folder.absolute().parents if each.exists()), None)
    if above is not None:
        with tempfile.TemporaryDirectory(prefix=_PART, dir=above):
            pass


def _write(trace: Trace, folder: Path) -> None:
    (folder / "phases").mkdir()
    (folder / "files").mkdir()
    for path in trace.phases.values():
        shutil.copyfile(path, folder / "phases" / path.name)
    for path in trace.files:
        shutil.copyfile(path, folder / "files" / path.name)
    if trace.vmfb:
        shutil.copyfile(trace.vmfb, folder / trace.vmfb.name)
    (folder / trace.program.file_name).write_bytes(trace.program.source)
    (folder / "command.sh").write_text(f"{trace.command}\n", encoding="utf-8")
    save(trace, folder / f"{trace.program.name}.trace")


def _swap(part: Path, folder: Path) -> None:
    """Put what is in `part` in the place of all else in `folder`."""
    for old in folder.iterdir():
        if old.name.startswith(_PART):
            continue
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink()
    for new in part.iterdir():
        new.rename(folder / new.name)


def _unwritable(folder: Path, error: OSError) -> DumpError:
    return DumpError(
        f"{folder} cannot be written: {error.strerror or error}",
        expected="a folder with space that you may write to",
        todo="choose another --out",
    )
