"""Exercises about one module for several devices, and about flags: what is answered is compiled."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from iree_layers.compile import Target, build, program
from iree_layers.errors import CompileError, LayersError
from iree_layers.execute import agree, contents, run
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import entries, kind, listed, whole, word

from ..s2_pipeline.mlp import inputs
from .recordings import Form, form
from .variants import MLP, UNLINKED, fat, guarded

__all__ = ["check_5_5", "check_5_6", "check_5_7", "check_5_8", "check_5_9"]

HERE = Path(__file__).parent


def _flags(given: object) -> tuple[str, ...] | None:
    """Flags that are given as a list, or in one text."""
    if isinstance(given, str):
        return tuple(given.split())
    found = listed(given)
    return None if found is None else tuple(map(str, found))


def check_5_5(answer: object) -> Verdict:
    """Compile with the learner's flags, and read what form the recording has."""
    given = entries(answer)
    if given is None or set(given) != {"table", "no table"}:
        return wrong("a dict with table and no table", kind(answer), look="the task")
    for name, indirect in (("table", True), ("no table", False)):
        flags = _flags(given[name])
        if flags is None:
            return wrong(f"a list of flags for {name}", kind(given[name]), look="FORMS")
        try:
            found = form(*flags)
        except CompileError as error:
            return wrong("flags that the compiler knows", error.found[:200], look=name)
        amiss = _not_this_form(name, found, indirect)
        if amiss is not None:
            return amiss
    return right("both recorded in @mlp itself", look="the second pays, and needs no table")


def _not_this_form(name: str, found: Form, indirect: bool) -> Verdict | None:
    if found.memoized:
        what = f"{name}: {found.recorded} records it when the module is loaded"
        return wrong("recorded at each call", what, look="form(*flags).recorded")
    if found.indirect and not indirect:
        what = f"{name}: {found.slots} slots of a table"
        return wrong("the buffers in the recording", what, look="the other flag")
    if indirect and not found.indirect:
        what = f"{name}: the recording has the buffers"
        return wrong("a binding table", what, look="form(*flags).slots")
    return None


@cache
def _executables(*flags: str) -> int:
    target = fat("llvm-cpu", "vulkan-spirv", "cuda", flags=flags)
    return len(contents(build(program(HERE / "layers.mlir"), target)).members) - 1


def check_5_6(answer: object) -> Verdict:
    """Count the members of both modules."""
    given = entries(answer)
    if given is None or set(given) != {"as it is", "unlinked"}:
        return wrong("a dict with both numbers", kind(answer), look="the task")
    wanted = {"as it is": _executables(), "unlinked": _executables(UNLINKED)}
    for name, number in wanted.items():
        if (said := whole(given[name])) is None:
            return wrong("whole numbers", f"{name}: {kind(given[name])}", look="len(members)")
        if said == number + 1:
            found = f"{name}: {said}, one too many"
            return wrong("executables only", found, look="is module.fb one?")
        if said != number:
            look = "does each kernel survive for each backend?" if number == 1 else "2 kernels, 3 …"
            return wrong("the files of a real module", f"{name}: not {said}", look=look)
    return right("one, and two kernels × three", look="linked, two backends are gone: count files")


def check_5_7(answer: object) -> Verdict:
    """The order of the device's candidates; then run it on what is here for sure."""
    flags = _flags(answer)
    if not flags:
        return wrong("a list of flags", kind(answer), look="fat(…).flags")
    source, target = program(MLP), Target("yours", flags, None, "execute")
    try:
        text = build(source, target, compile_to="preprocessing").vmfb.read_text()
    except LayersError as error:
        return wrong("flags that compile", error.found[:200], look="the first line")
    devices = [line for line in text.splitlines() if "util.global private @" in line]
    # … private @__device_0 = #hal.device.select<[#hal.device.target<"vulkan", …        (3.13.0)
    order = re.findall(r'#hal\.device\.target<"(\w+)"|#device_target_([a-z]+)', " ".join(devices))
    names = ["".join(pair) for pair in order]
    if len(devices) != 1:
        return wrong(
            "one device", f"{len(devices)}: the program is for all of them", look=".select"
        )
    if names == ["local", "vulkan"]:
        return wrong("Vulkan is asked first", "the CPU is asked first", look="the order of flags")
    if names != ["vulkan", "local"]:
        return wrong(
            "the choice of Vulkan or local", f"only {', '.join(names)}", look=".select<[…]>"
        )
    try:
        verdict = agree(run(build(source, target).vmfb, "mlp", *inputs()), _expected())
    except LayersError as error:
        return wrong("it runs on the CPU", error.found[:200], look="the backend for the CPU")
    if not verdict:
        return wrong("the numbers of @mlp", str(verdict), look="the CPU's flags")
    return right("Vulkan, else the CPU", look="run(…, device=(…)) decides which devices are asked")


def check_5_8(answer: str) -> Verdict:
    """Load it on both local devices."""
    try:
        module = guarded(answer, spare=False)
    except LayersError as error:
        return wrong("a condition that compiles", error.found[:300], look="hal.return … : i1")
    runs = {}
    for device in ("local-sync", "local-task"):
        try:
            runs[device] = bool(agree(run(module, "mlp", *inputs(), device=device), _expected()))
        except LayersError as error:
            runs[device] = False
            if "does not support any variant" not in error.found:
                return wrong("refused by the condition", error.found[:200], look="the query")
    if runs == {"local-sync": True, "local-task": False}:
        look = "INCOMPATIBLE: the device was found, no variant fits it"
        return right("local-sync yes, local-task no", look=look)
    if runs["local-task"] and not runs["local-sync"]:
        return wrong("no on local-task", "yes on local-task only", look="turn the answer round")
    both = "it runs on both" if runs["local-sync"] else "it runs on neither"
    return wrong("two devices, two answers", both, look="what the query is asked")


def _expected() -> Any:
    """What @mlp should give for `inputs()`."""
    x, w, b = inputs()
    return np.maximum(x @ w + b, 0)


def check_5_9(answer: object) -> Verdict:
    """The queries that phase hal makes, in their order, and the op that adds one more."""
    wanted = {
        "cuda": "hal.device.id",
        "other cpu": "hal.executable.format",
        "condition": "hal.executable.condition",
    }
    given = entries(answer)
    if given is None or set(given) != set(wanted):
        return wrong("a dict with three entries", kind(answer), look="the task")
    for name, key in wanted.items():
        said = word(given[name])
        if said != key:
            return wrong(_EXPECTED[name], f"{name}: {said} is not it", look=_LOOK[name])
    return right("three ways to say no", look="the first two end in the same message")


_EXPECTED = {
    "cuda": "the first query that fails",
    "other cpu": "a query after the one that holds",
    "condition": "the op in the variant",
}
_LOOK = {
    "cuda": 'is "local-task" a cuda device?',
    "other cpu": 'local-task fits "local*"; what is asked next?',
    "condition": "conditioned(…) inserts it",
}
