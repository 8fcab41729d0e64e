"""The runtime itself: load a module on a device, call a function, read the results back.

In: a `Job`. Out: numpy arrays. It runs in the process that imports it, which is a worker
(`worker.py`) unless the learner asked otherwise: compiled code can crash, hang, or be for another
processor, and a notebook's kernel must not go with it. Modules stay loaded (`LOADED` at most).
Uses the low-level API of `iree.runtime` 3.13.0, because the high-level one cannot read results back
from Vulkan and supplies no fences.
"""

from __future__ import annotations

import difflib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import RunError
from .arguments import Value, fit
from .array import Input
from .module import Module, verify
from .problem import device_problem, explain
from .signature import Signature, ValueType, parse_declaration
from .transfer import pull, push

__all__ = ["Engine", "Job", "Parameter", "choose", "is_public"]

LOADED = 8
"modules that stay loaded; the least recently used one goes first"

_LISTED = 12
"functions that a message lists"

# what people call a device, and what the runtime calls it
_SPELLINGS = {
    "cpu": "local-task",
    "host": "local-task",
    "llvm-cpu": "local-task",
    "vmvx": "local-task",
    "gpu": "vulkan",
    "rocm": "hip",
}

Arrays = tuple[np.ndarray[Any, Any], ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One file of weights."""

    scope: str
    path: str
    stamp: tuple[int, int]
    "size and time of change, so that a rewritten file is read again"


@dataclass(frozen=True, slots=True)
class Job:
    """One call."""

    digest: str
    origin: str
    function: str | None
    inputs: tuple[Input, ...]
    devices: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    @property
    def key(self) -> tuple[str, tuple[str, ...], tuple[Parameter, ...]]:
        """What makes two calls use one loaded module."""
        return self.digest, self.devices, self.parameters


@dataclass(frozen=True, slots=True)
class _Loaded:
    device: Any
    context: Any
    module: Any
    signatures: dict[str, Signature]


class Engine:
    """Modules loaded on devices of this process."""

    def __init__(self) -> None:
        self._instance: Any = None
        self._loaded: OrderedDict[object, _Loaded] = OrderedDict()

    def call(self, job: Job, fetch: Callable[[], Module]) -> Arrays:
        """Run one job.

        Args:
            job: what to run.
            fetch: gives the module's bytes; asked only when it is not loaded.

        Raises:
            RunError: the module, the device, the function or the arguments do not fit.
        """
        loaded = self._loaded.get(job.key)
        if loaded is None:
            loaded = self._load(job, fetch())
            self._loaded[job.key] = loaded
            while len(self._loaded) > LOADED:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(job.key)
        signature = choose(loaded.signatures, job.function, job.origin)
        values = fit(signature, job.inputs)
        try:
            return _invoke(loaded, signature, values)
        except RunError:
            raise
        except Exception as error:
            raise explain(error, origin=job.origin, devices=job.devices) from error

    def _load(self, job: Job, module: Module) -> _Loaded:
        verify(module)
        runtime = _runtime()
        self._instance = self._instance or runtime.VmInstance()
        devices = [_open_device(name) for name in job.devices]
        try:
            program = runtime.VmModule.copy_buffer(self._instance, module.data)
            modules = [runtime.create_hal_module(self._instance, devices=devices)]
            if job.parameters:
                modules.append(_parameters(self._instance, job.parameters))
            context = runtime.VmContext(self._instance, [*modules, program])
        except RunError:
            raise
        except Exception as error:
            raise explain(error, origin=job.origin, devices=job.devices) from error
        names = [name for name in program.function_names if is_public(name)]
        signatures = {name: _signature(program, name) for name in names}
        return _Loaded(devices[0], context, program, signatures)


def is_public(name: str) -> bool:
    """False for what the compiler adds: `__init`, and the async twin `main$async`."""
    return not name.startswith("__") and not name.endswith("$async")


def choose(signatures: dict[str, Signature], name: str | None, origin: str) -> Signature:
    """The function of that name; without a name, the only one.

    Raises:
        RunError: no such function, or no name and several functions; all are listed.
    """
    if name is None and len(signatures) == 1:
        return next(iter(signatures.values()))
    if name is not None and name in signatures:
        return signatures[name]
    lines = [f"\n    {one}" for one in signatures.values()]
    more = f"\n    … {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
    listed = "".join(lines[:_LISTED]) + more
    if name is None:
        count = "several functions" if signatures else "no function"
        raise RunError(
            f"{origin} has {count}, and none was named",
            expected=f"one of{listed}" if signatures else "a program with a public function",
            todo=f"run(vmfb, {next(iter(signatures))!r}, …)" if signatures else "make one public",
        )
    near = difflib.get_close_matches(name, signatures, n=1, cutoff=0.5)
    raise RunError(
        f"{origin} has no function {name!r}",
        expected=f"one of{listed}" if signatures else "a program with a public function",
        todo=f"did you mean {near[0]!r}?" if near else "pick one of the list",
    )


def _runtime() -> Any:
    try:
        import iree.runtime
    except ImportError as error:
        raise RunError(
            f"the runtime cannot be imported: {error}",
            expected="the package iree-base-runtime",
            todo="pip install iree-base-runtime==3.13.0",
        ) from error
    # An exception that keeps runtime objects alive makes nanobind print dozens of lines
    # `nanobind: leaked …` when the interpreter ends.
    iree.runtime._binding.disable_leak_checker()
    return iree.runtime


def _open_device(name: str) -> Any:
    runtime = _runtime()
    known = list(runtime.query_available_drivers())
    driver = name.partition("://")[0]
    if driver not in known:
        near = [_SPELLINGS[driver]] if driver in _SPELLINGS else []
        near = near or difflib.get_close_matches(driver, known, n=1, cutoff=0.5)
        raise RunError(
            f"there is no device {name!r}",
            expected=f"one of {', '.join(sorted(known))}; devices() says which of them work here",
            todo=f"did you mean {near[0]!r}?" if near else "pick one of the list",
        )
    try:
        return runtime.get_device(name)
    except Exception as error:
        works = [one for one in known if one != driver and _opens(one)]
        raise device_problem(error, name, sorted(works)) from error


def _opens(name: str) -> bool:
    try:
        _runtime().get_device(name)
    except Exception:
        # Which exception says nothing: ValueError without a loader, RuntimeError without a driver.
        return False
    return True


def _parameters(instance: Any, parameters: tuple[Parameter, ...]) -> Any:
    runtime = _runtime()
    indices: dict[str, Any] = {}
    for one in parameters:
        index = indices.setdefault(one.scope, runtime.ParameterIndex())
        try:
            index.load(one.path)
        except Exception as error:
            raise RunError(
                f"{one.path} cannot be read as parameters: {str(error).rpartition('; ')[2]}",
                expected="an .irpa, .gguf or .safetensors file",
                todo="iree-dump-parameters --parameters=FILE shows what is in one",
            ) from error
    providers = [index.create_provider(scope=scope) for scope, index in indices.items()]
    return runtime.create_io_parameters_module(instance, *providers)


def _signature(program: Any, name: str) -> Signature:
    reflection = program.lookup_function(name).reflection
    declared = parse_declaration(reflection.get("iree.abi.declaration", ""))
    if declared is None:
        return Signature(name, (), (), declared=False)
    fences = declared.asynchronous or reflection.get("iree.abi.model") == "coarse-fences"
    return Signature(name, declared.arguments, declared.results, fences)


def _invoke(loaded: _Loaded, signature: Signature, values: tuple[Value, ...]) -> Arrays:
    runtime = _runtime()
    inputs = runtime.VmVariantList(len(values) + 2)
    for value in values:
        push(runtime, inputs, loaded.device, value)
    done = None
    if signature.asynchronous:
        semaphore = loaded.device.create_semaphore(0)
        done = runtime.HalFence.create_at(semaphore, 1)
        inputs.push_ref(runtime.HalFence.create_at(semaphore, 0))
        inputs.push_ref(done)
    outputs = runtime.VmVariantList(len(signature.results))
    loaded.context.invoke(loaded.module.lookup_function(signature.name), inputs, outputs)
    if done is not None:
        done.wait()
    types: tuple[ValueType | None, ...] = signature.results
    if len(types) != outputs.size:
        types = (None,) * outputs.size
    return tuple(pull(runtime, outputs, i, loaded.device, one) for i, one in enumerate(types))
