"""TensorFlow Lite: a `.tflite` file as TOSA, float or quantised.

In: the path of a model. Out: a `Program` (TOSA as MLIR bytecode). Rests on
tosa-converter-for-tflite 2026.2.0, which needs no TensorFlow. IREE's own `iree-import-tflite`
no longer runs: TensorFlow 2.19 removed what it calls.
"""

from __future__ import annotations

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

__all__ = ["from_tflite"]

_TOOL = "tosa-converter-for-tflite"


def from_tflite(path: Path) -> Program:
    """A program of a `.tflite` file, by the converter in a subprocess. Its function is `main`.

    Raises:
        ToolMissing: the converter is not installed.
        ProgramError: it refuses the file; its last line is in the message.
    """
    shown = f"{_TOOL} {shlex.quote(str(path))} --bytecode -o {safe_name(path.stem)}.mlirbc"
    tool = shutil.which(_TOOL, path=str(Path(sys.executable).parent)) or shutil.which(_TOOL)
    if tool is None:
        raise ToolMissing(
            f"reading {path.name} needs {_TOOL}",
            todo="pip install 'iree-layers[tflite]'",
            command=shown,
        )
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "model.mlirbc"
        argv = [tool, str(path), "--bytecode", "-o", str(out)]
        ran = subprocess.run(argv, capture_output=True, text=True, errors="replace")
        if ran.returncode == 0 and out.is_file():
            return from_source(
                out.read_bytes(), name=path.stem, road="tflite", where=str(path), commands=(shown,)
            )
    lines = [line.strip() for line in (ran.stderr or ran.stdout).splitlines() if line.strip()]
    raise ProgramError(
        f"{path}: the TFLite converter refuses it: {(lines or ['no message'])[-1][:300]}",
        expected="a .tflite model whose ops have a TOSA form",
        todo="an op that is custom or keeps state must be taken out of the model first",
        command=shown,
    )
