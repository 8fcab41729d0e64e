"""A call as a line for a terminal: `iree-run-module --module=… --function=… --input=…`.

In: what `run()` takes. Out: a `Command` whose text works when it is pasted. Small values stand in
the line; others are written beside it, as `.npy`, or as raw bytes for dtypes that numpy's files do
not have (bf16, 8-bit floats). Flags were checked against iree-run-module 3.13.0.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..compile.toolchain import Command
from .arguments import Value, fit
from .array import dtype_name, to_input
from .contents import contents
from .devices import Device
from .engine import choose
from .module import Module, open_module
from .run import Parameters, device_names, parameter_files

__all__ = ["run_command"]

_INLINE = 16
"values of an array that still stand in the line"


def run_command(
    vmfb: object,
    fn: str | None = None,
    *arrays: object,
    device: str | Device | Sequence[str | Device] = "local-task",
    parameters: Parameters = (),
    folder: str | Path | None = None,
) -> Command:
    """The same call as `run()`, for a terminal.

    Args:
        vmfb: as for `run()`.
        fn: as for `run()`.
        arrays: as for `run()`.
        device: as for `run()`.
        parameters: as for `run()`.
        folder: where `module.vmfb` and `input0.npy`, `input1.npy`, … are written; the line then
            uses bare names, and works in that folder. None: a new temporary folder, only if
            something must be written, and the line has full paths and works anywhere.

    Raises:
        RunError: the call would be refused by `run()` too.
    """
    module = open_module(vmfb)
    signatures = {one.name: one for one in contents(module).functions}
    signature = choose(signatures, fn, module.origin)
    values = fit(signature, [to_input(value, place) for place, value in enumerate(arrays)])
    files = _Files(Path(folder) if folder is not None else None)
    argv = [f"--device={name}" for name in device_names(device)]
    # The file of a Built goes with it, so the line gets a copy.
    path = module.path if isinstance(vmfb, (str, Path)) else None
    argv.append(f"--module={_module_name(module, path, files)}")
    for one in parameter_files(parameters):
        argv.append(
            f"--parameters={one.scope}={one.path}" if one.scope else f"--parameters={one.path}"
        )
    argv.append(f"--function={signature.name}")
    argv += [f"--input={_input(files, place, value)}" for place, value in enumerate(values)]
    return Command(("iree-run-module", *argv), files.given)


class _Files:
    """Where files go, and how the line names them."""

    def __init__(self, given: Path | None) -> None:
        self.given = given
        self._folder = given

    def place(self, name: str) -> tuple[Path, str]:
        """A path to write to, and its name in the line."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="iree-layers-run-"))
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / name
        return path, name if self.given else str(path)


def _module_name(module: Module, original: Path | None, files: _Files) -> str:
    if original and not files.given:
        return str(original.resolve())
    if original and files.given and original.resolve().parent == files.given.resolve():
        return original.name
    path, name = files.place("module.vmfb")
    path.write_bytes(module.data)
    return name


def _input(files: _Files, place: int, value: Value) -> str:
    if not isinstance(value, np.ndarray):
        return _number(value)
    inline = _inline(value)
    if inline is not None:
        return inline
    if value.dtype.isbuiltin == 1:
        path, name = files.place(f"input{place}.npy")
        np.save(path, value)
        return f"@{name}"
    path, name = files.place(f"input{place}.bin")
    path.write_bytes(value.tobytes())
    return f"{_type(value)}=@{name}"


def _inline(value: np.ndarray[Any, Any]) -> str | None:
    """The array as text, None if it is long, or of a dtype whose text the tool cannot read."""
    if value.dtype.kind not in "iuf" or value.dtype.itemsize < 2 or value.size == 0:
        return None
    flat = value.reshape(-1)
    # One number stands for all of them. Compared as bits, so that -0.0 is not 0.0.
    if (
        value.size > 1
        and (flat.view(f"u{value.itemsize}") == flat[:1].view(f"u{value.itemsize}")).all()
    ):
        return f"{_type(value)}={_number(flat[0])}"
    if value.size > _INLINE:
        return None
    return f"{_type(value)}={' '.join(_number(one) for one in flat)}"


def _type(value: np.ndarray[Any, Any]) -> str:
    name = dtype_name(value.dtype)
    return "x".join([*map(str, value.shape), name])


def _number(value: Any) -> str:
    # numpy's own scalars print the shortest text that reads back as the same bits
    return str(value) if isinstance(value, np.generic) else repr(value)
