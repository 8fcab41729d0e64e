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
from pathlib import Path

from ..errors import DumpError
from .store import save
from .trace import Trace

__all__ = ["keep"]


def keep(trace: Trace, folder: Path) -> Path:
    """Write a trace into a folder, and give the folder.

    A folder that holds an earlier trace of the same program is replaced; any other folder must be
    new or empty, so that nothing of yours is ever overwritten.

    Raises:
        DumpError: the folder holds something else.
    """
    name = trace.program.name
    stored = folder / f"{name}.trace"
    if folder.exists():
        _check(folder, stored)
        shutil.rmtree(folder)
    (folder / "phases").mkdir(parents=True)
    (folder / "files").mkdir()
    for path in trace.phases.values():
        shutil.copyfile(path, folder / "phases" / path.name)
    for path in trace.files:
        shutil.copyfile(path, folder / "files" / path.name)
    if trace.vmfb:
        shutil.copyfile(trace.vmfb, folder / trace.vmfb.name)
    (folder / trace.program.file_name).write_bytes(trace.program.source)
    (folder / "command.sh").write_text(f"{trace.command}\n", encoding="utf-8")
    save(trace, stored)
    return folder


def _check(folder: Path, stored: Path) -> None:
    if not folder.is_dir():
        raise DumpError(f"{folder} is a file", expected="a folder", todo="choose another --out")
    there = sorted(path.name for path in folder.iterdir())
    ours = {stored.name, "command.sh", "phases", "files"}
    others = [n for n in there if n not in ours and Path(n).stem != stored.stem]
    if there and (others or stored.name not in there):
        raise DumpError(
            f"{folder} holds {', '.join(there[:3])}{', …' if len(there) > 3 else ''}",
            expected="a new or empty folder, or an earlier trace of the same program",
            todo="choose another --out, or delete the folder",
        )
