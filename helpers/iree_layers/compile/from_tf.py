"""TensorFlow: a SavedModel folder as StableHLO.

In: the path of a folder. Out: a `Program` (MLIR bytecode). Rests on `iree-import-tf` of the package
iree-tools-tf, in a subprocess: importing TensorFlow takes seconds, and it prints a lot.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ProgramError, ToolMissing
from .program import from_source, safe_name

if TYPE_CHECKING:
    from .program import Program

__all__ = ["from_saved_model", "is_saved_model"]

_TOOL = "iree-import-tf"


def is_saved_model(path: Path) -> bool:
    """The folder holds a SavedModel of TensorFlow."""
    return path.is_dir() and (path / "saved_model.pb").is_file()


def from_saved_model(path: Path, *, entry: str | None = None) -> Program:
    """A program of a SavedModel folder.

    Args:
        path: the folder.
        entry: the function to export, or several with commas; default `main`. Keras calls its own
            `serve`.

    Raises:
        ToolMissing: TensorFlow or the importer is not installed.
        ProgramError: the importer refuses it, or there is no such function.
    """
    wanted = entry or "main"
    flag = f"--tf-savedmodel-exported-names={wanted}"
    shown = f"{_TOOL} {shlex.quote(str(path))} {flag} -o {safe_name(path.name)}.mlirbc"
    tool = shutil.which(_TOOL, path=str(Path(sys.executable).parent)) or shutil.which(_TOOL)
    if tool is None:
        raise ToolMissing(
            f"reading the SavedModel {path.name} needs TensorFlow and {_TOOL}",
            todo="pip install 'iree-layers[tf]'",
            command=shown,
        )
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "model.mlirbc"
        ran = subprocess.run(
            [tool, str(path), flag, "-o", str(out)],
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
            capture_output=True,
            text=True,
            errors="replace",
        )
        source = out.read_bytes() if out.is_file() else b""
    if ran.returncode == 0 and wanted.partition(",")[0].encode() in source:
        return from_source(source, name=path.name, road="tf", where=str(path), commands=(shown,))
    lines = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
    said = lines[-1][:300] if ran.returncode and lines else f"it exports no function {wanted!r}"
    raise ProgramError(
        f"{path}: the TensorFlow importer refuses it: {said}",
        todo="name the function: entry='serve' for a Keras export, your method's name otherwise",
        command=shown,
    )
