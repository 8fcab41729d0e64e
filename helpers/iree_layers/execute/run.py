"""Run a function of a compiled module on numpy arrays, torch tensors and numbers.

In: a `.vmfb`, the function's name, its arguments, a device. Out: numpy arrays. `run_command` gives
the same call as an `iree-run-module` line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..compile.target import Target
from ..errors import RunError
from .array import to_input
from .devices import Device
from .engine import Engine, Job, Parameter
from .module import Module, open_module
from .session import SESSION

__all__ = ["Parameters", "device_names", "parameter_files", "run"]

Parameters = Mapping[str, "str | Path"] | Iterable["tuple[str, str | Path]"]

_HERE = Engine()


def run(
    vmfb: object,
    fn: str | None = None,
    *arrays: object,
    device: str | Device | Sequence[str | Device] = "local-task",
    parameters: Parameters = (),
    timeout: float | None = None,
    isolated: bool = True,
) -> Any:
    """Call one function of a compiled module: an array, or a tuple of arrays if it has several.

    Args:
        vmfb: bytes or path of a `.vmfb`, or a `Built` or `Trace` that has one.
        fn: name of the function; None for the only one.
        arrays: its arguments: numpy arrays, torch tensors, Python numbers. Shapes and dtypes must
            fit exactly; only a Python number takes the dtype that is asked for.
        device: name of a device, e.g. `local-task`, `local-sync`, `vulkan`; several for a program
            that was compiled for several.
        parameters: files of weights by scope, `{"model": "weights.irpa"}`.
        timeout: seconds until a call that does not end is stopped; None waits for ever.
        isolated: run in a worker process, so that a crash cannot end this one. False runs here,
            which saves the copies (0.1 ms a call and more for large arrays).

    Returns:
        The result as a numpy array, a tuple of them if the function has several or none. A scalar
        result is an array without dimensions. Integers without a sign (`i32`) come as signed ones,
        bf16 and 8-bit floats as dtypes of `ml_dtypes`.

    Raises:
        RunError: the module, the function, an argument or the device does not fit, or the program
            crashed or took too long.
    """
    if fn is not None and not isinstance(fn, str):
        raise RunError(
            f"the second argument is a {type(fn).__name__}",
            expected="the function's name, then its arguments",
            todo="run(vmfb, None, x, …) calls the only function of a module",
        )
    _refuse_text(vmfb)
    module = open_module(vmfb)
    inputs = tuple(to_input(value, place) for place, value in enumerate(arrays))
    files = parameter_files(parameters)
    job = Job(module.digest, module.origin, fn, inputs, device_names(device), files)
    results = _call(job, module, timeout=timeout, isolated=isolated)
    return results[0] if len(results) == 1 else results


def _refuse_text(source: object) -> None:
    target = getattr(source, "target", None)
    if isinstance(target, Target) and target.purpose == "print":
        raise RunError(
            f"this {type(source).__name__} was compiled for {target.name}, a target whose IR is "
            "the same everywhere; its code may not suit this CPU",
            expected="a module compiled to be run",
            todo="build(program), which compiles with Target.HOST",
        )


def _call(
    job: Job, module: Module, *, timeout: float | None, isolated: bool
) -> tuple[np.ndarray[Any, Any], ...]:
    if isolated:
        return SESSION.call(job, module, timeout=timeout)
    if timeout is not None:
        raise RunError(
            "a call in this process cannot be stopped",
            expected="timeout=None with isolated=False",
            todo="leave one of the two out",
        )
    return _HERE.call(job, lambda: module)


def device_names(device: str | Device | Sequence[str | Device]) -> tuple[str, ...]:
    """Names of one device or of several."""
    several = [device] if isinstance(device, (str, Device)) else list(device)
    names = tuple(one.name if isinstance(one, Device) else str(one) for one in several)
    if not names or not all(names):
        raise RunError("no device was named", expected="for example device='local-task'")
    return names


def parameter_files(parameters: Parameters) -> tuple[Parameter, ...]:
    """The files of weights, each with its size and time of change.

    Raises:
        RunError: a file is not there.
    """
    if isinstance(parameters, (str, Path)):
        raise RunError(
            f"parameters is the path {parameters}",
            expected="a scope for each file",
            todo=f"parameters={{'model': {str(parameters)!r}}}, with the program's scope",
        )
    pairs = parameters.items() if isinstance(parameters, Mapping) else parameters
    return tuple(_parameter(scope, Path(path)) for scope, path in pairs)


def _parameter(scope: str, path: Path) -> Parameter:
    try:
        found = os.stat(path)
    except OSError as error:
        raise RunError(
            f"there is no parameter file {path} (for the scope {scope!r})",
            expected="an .irpa, .gguf or .safetensors file",
            todo="write it with iree.runtime.save_archive_file, or look where it is",
        ) from error
    return Parameter(scope, str(path.resolve()), (found.st_size, found.st_mtime_ns))
