"""The runtime's messages in the learner's words.

In: an exception of `iree.runtime` (3.13.0), whose Python type says little: what counts is the text,
`Error creating …: file.c:184: INVALID_ARGUMENT; bytecode version mismatch; …`. Out: a `RunError`.
A message that is not known here is passed on, shortened to what stands after the status word.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..errors import RunError

__all__ = ["device_problem", "explain"]

# `Error creating vm context with modules: c/runtime/src/iree/vm/context.c:205: NOT_FOUND; required
# module 'pymath' not registered on the context; resolving module 'module' imports`
# `Error creating vm context with modules: <vm>:0: INCOMPATIBLE; HAL device …`
_STATUS = re.compile(r"(?:\S+\.\w+|<vm>):\d+: (?P<code>[A-Z_]+); (?P<text>.*)", re.DOTALL)

# `bytecode version mismatch; runtime supports 17.0, module has 15.0`
_VERSION = re.compile(r"bytecode version mismatch; runtime supports ([\d.]+), module has ([\d.]+)")
# `required module features [Ch] are not available in this runtime configuration`
_FEATURES = re.compile(r"required module features \[(.*?)\] are not available")
# `required module 'hal' version mismatch; have 2 but require 5`
_MODULE_VERSION = re.compile(
    r"required module '(.+?)' version mismatch; have (\d+) but require (\d+)"
)
# `required module 'pymath' not registered on the context; resolving module 'module' imports`
_MODULE = re.compile(r"required module '(.+?)' not registered")
# `no provider registered that handles scopes like 'model'; while invoking …`
_SCOPE = re.compile(r"no provider registered that handles scopes like '(.*?)'")
# `no parameter found in index with key 'w'; while invoking …`
_KEY = re.compile(r"no parameter found in index with key '(.*?)'")
# ``parameter `w` range out of bounds (offset=0, length=16, size=12)``
_RANGE = re.compile(
    r"parameter `(.*?)` range out of bounds \(offset=(\d+), length=(\d+), size=(\d+)"
)
# ``HAL device `__device_0` not found or unavailable: #hal.device.target<"vulkan", [#hal…``
_DEVICE = re.compile(r'HAL device `(.+?)` not found or unavailable: #hal\.device\.target<"(.+?)"')
# `#hal.executable.target<"llvm-cpu", "embedded-elf-arm_64", {cpu = …`
_FORMAT = re.compile(r'#hal\.executable\.target<"[^"]+", "([^"]+)"')
# `{ordinal = 1 : index}`: the second device of a program for several
_ORDINAL = re.compile(r"ordinal = (\d+)")
# `input list and function mismatch; expected 3 arguments but passed 2`
_COUNT = re.compile(r"input list and function mismatch; expected (\d+) arguments but passed (\d+)")
# `FlatBuffer length prefix out of bounds (…)`, `FlatBuffer verification failed: …`,
# `rodata[4] external reference out of range`
_DAMAGED = re.compile(
    r"FlatBuffer |rodata\[\d+\] external reference|bytecode range|unrecognized opcode"
)

_DRIVERS = {
    "cuda": "this needs an NVIDIA GPU and its driver",
    "hip": "this needs an AMD GPU and ROCm",
    "vulkan": "this needs a Vulkan driver; on Debian and Ubuntu: apt install mesa-vulkan-drivers",
}
_OTHER_VERSION = "compile it again with the iree-base-compiler of the runtime's version"


def explain(error: Exception, *, origin: str, devices: tuple[str, ...] = ()) -> RunError:
    """A RunError for what the runtime raised while it loaded or ran a module.

    Args:
        error: what it raised.
        origin: name of the module.
        devices: where it was to run.
    """
    text = _text(error)
    for pattern, answer in _ANSWERS:
        found = pattern.search(text)
        if found:
            return answer(found, origin, text, " and ".join(devices))
    return RunError(f"the runtime refused {origin}: {_short(text)}", todo="see the message")


def device_problem(error: Exception, name: str, works: list[str]) -> RunError:
    """A RunError for a device that could not be opened; `works` are those that can."""
    driver = name.partition("://")[0]
    found = _short(_text(error))
    if "device paths not yet implemented" in found:
        return RunError(
            f"{name}: {driver} takes no path", expected=driver, todo=f"device={driver!r}"
        )
    if "device path" in found:
        return RunError(
            f"there is no device {name!r}",
            expected=f"{driver}, or a path that the driver knows",
            todo=f"iree-run-module --list_devices={driver} lists them",
        )
    return RunError(
        f"the device {name!r} cannot be opened: {found}",
        expected=f"a device that opens here: {', '.join(works)}",
        todo=_DRIVERS.get(driver, "run on local-task"),
    )


def _text(error: Exception) -> str:
    # `Could not create device. Exception for last tried follows.`: the reason is in the cause
    text = f"{error} {error.__cause__}" if error.__cause__ else str(error)
    status = _STATUS.search(text)
    return status["text"] if status else text


def _short(text: str) -> str:
    """The first clause or two; the rest is a backtrace or a target's attribute."""
    for end in ("; while invoking", "#hal.", " Tried:", "\n  Tried:"):
        text = text.partition(end)[0]
    kept = " ".join(text.split())
    return kept if len(kept) <= 240 else kept[:240] + " …"


def _version(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    older = float(found[2]) < float(found[1])
    return RunError(
        f"{origin} was compiled by {'an older' if older else 'a newer'} IREE: "
        f"its bytecode has version {found[2]}",
        expected=f"bytecode version {found[1]}, which this runtime runs",
        todo=_OTHER_VERSION,
    )


def _features(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    return RunError(
        f"{origin} needs features that this runtime does not have: {found[1]}",
        expected="a module for this version of the runtime",
        todo=_OTHER_VERSION,
    )


def _module_version(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    return RunError(
        f"{origin} was compiled by another IREE: it needs version {found[3]} of {found[1]!r}",
        expected=f"version {found[2]}, which this runtime has",
        todo=_OTHER_VERSION,
    )


def _import(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    name = found[1]
    if name == "io_parameters":
        return RunError(
            f"{origin} keeps its weights in a parameter file, and none was given",
            expected="parameters={'scope': 'weights.irpa'}",
            todo="give the file that belongs to it; the program names the scope in "
            '#flow.parameter.named<"scope"::"key">',
        )
    if name in ("hal_inline", "hal_loader"):
        return RunError(
            f"{origin} was compiled with --iree-execution-model=inline-…: it needs {name!r}",
            expected="a module that needs only 'hal'",
            todo="leave that flag out, or run it in a terminal with iree-run-module",
        )
    return RunError(
        f"{origin} calls functions of a module {name!r}, which is not here",
        expected="a module that needs only 'hal' and 'io_parameters'",
        todo="contents(vmfb).imports lists what it calls; put those functions into the program",
    )


def _scope(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    return RunError(
        f"{origin} asks for parameters of the scope {found[1]!r}, which was not given",
        expected=f"parameters={{{found[1]!r}: 'weights.irpa'}}",
        todo="name the scope as the program does",
    )


def _key(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    return RunError(
        f"{origin} asks for the parameter {found[1]!r}, which is not in the file",
        expected=f"a parameter file with the key {found[1]!r}",
        todo="iree-dump-parameters --parameters=FILE lists what is in it",
    )


def _range(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    return RunError(
        f"the parameter {found[1]!r} has {found[4]} bytes in the file",
        expected=f"{int(found[2]) + int(found[3])} bytes, as {origin} was compiled",
        todo="give the weights that belong to this program, or compile it again",
    )


def _device(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    device = {"local": "local-task"}.get(found[2], found[2])
    formats = ", ".join(dict.fromkeys(_FORMAT.findall(text)))
    ordinal = _ORDINAL.search(text)
    if ordinal and int(ordinal[1]) > where.count(" and "):
        return RunError(
            f"{origin} is for several devices: {found[1]} is number {ordinal[1]}, "
            f"and it was run on {where}",
            expected=f"{int(ordinal[1]) + 1} devices",
            todo="device=('local-task', 'local-sync')",
        )
    if found[2] == "local" and where.startswith("local"):
        return RunError(
            f"{origin} was compiled for another processor: {formats}",
            expected="code for this machine",
            todo="compile it with Target.HOST",
        )
    there = "" if found[2] == "local" else " if devices() has it"
    return RunError(
        f"{origin} was compiled for {found[2]} ({formats}) and run on {where}",
        expected=f"device={device!r}",
        todo=f"run(…, device={device!r}){there}, or compile it for {where}",
    )


def _count(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    return RunError(
        f"the function takes {found[1]} arguments, {found[2]} given",
        expected=f"{found[1]} arguments",
        todo=f"contents() shows what {origin} says about its functions",
    )


def _damaged(found: re.Match[str], origin: str, text: str, where: str) -> RunError:
    return RunError(
        f"{origin} is damaged: {_short(text)}",
        expected="a complete .vmfb",
        todo="compile it again, or copy it again",
    )


_Answer = Callable[["re.Match[str]", str, str, str], RunError]
_ANSWERS: tuple[tuple[re.Pattern[str], _Answer], ...] = (
    (_VERSION, _version),
    (_FEATURES, _features),
    (_MODULE_VERSION, _module_version),
    (_MODULE, _import),
    (_SCOPE, _scope),
    (_KEY, _key),
    (_RANGE, _range),
    (_DEVICE, _device),
    (_COUNT, _count),
    (_DAMAGED, _damaged),
)
