"""Questions and checks of stage 5: answers are compared with what this compiler and runtime do.

`dances` has the exercises whose answer runs on a device.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from iree_layers.compare.census import ops
from iree_layers.compile import Target, build, program
from iree_layers.compile.phases import PHASES
from iree_layers.errors import CompileError, LayersError
from iree_layers.execute import agree, contents, run
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import entries, kind, listed, whole, word

from ..s2_pipeline.mlp import inputs
from .border import SIX, parted, phases
from .dances import check_5_2, check_5_3, check_5_4
from .recordings import Form, form
from .variants import MLP, UNLINKED, fat, guarded

__all__ = [
    "answer_5_q1",
    "answer_5_q2",
    "check_5_1",
    "check_5_2",
    "check_5_3",
    "check_5_4",
    "check_5_5",
    "check_5_6",
    "check_5_7",
    "check_5_8",
    "check_5_9",
    "check_5_10",
    "check_5_11",
]

HERE = Path(__file__).parent


def answer_5_q1() -> str:
    """First phase with more than one line that differs."""
    cpu, gpu = SIX["llvm-cpu"], SIX["vulkan"]
    return next(phase for phase in PHASES if parted(cpu, gpu, phase).added > 1)


def answer_5_q2() -> int:
    """Operations on a queue in the host's program."""
    found = ops(phases(SIX["llvm-cpu"])["hal"])
    return sum(number for name, number in found.items() if name.startswith("hal.device.queue."))


def check_5_1(answer: object) -> Verdict:
    """Read the bindings of both.mlir."""
    text = phases(Target.TEXT, HERE / "both.mlir")["executable-sources"]
    # … binding.subspan layout(…) binding(3) alignment(64) offset(%c128) flags(Indirect) : …  (3.13)
    seen = re.findall(r'subspan .*binding\((\d+)\) .*offset\(%c(\d+)\) flags\("?([\w|]+)', text)
    wanted = {int(n): int(first) for n, first, flags in seen if "ReadOnly" not in flags}
    given = entries(answer)
    if given is None:
        return wrong("a dict, binding → first byte", kind(answer), look="{2: …, …}")
    found = {whole(key): whole(value) for key, value in given.items()}
    if found == wanted:
        return right("two bindings of one allocation", look="two results, one queue.alloca")
    if None in found or None in found.values():
        return wrong("whole numbers", f"{given}", look="binding(N) and offset(%cN)")
    if more := sorted(set(found) - set(wanted)):  # type: ignore[type-var]
        what = f"binding {more[0]} is read-only, or not there"
        return wrong("bindings without ReadOnly only", what, look="the flags of the subspan")
    if less := sorted(set(wanted) - set(found)):
        what = f"{len(less)} missing: the kernel has two results"
        return wrong("each binding without ReadOnly", what, look="binding.subspan")
    return wrong("the bytes where they begin", f"{found}", look="offset(%cN)")


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
        if amiss := _not_this_form(name, found, indirect):
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


def check_5_10(answer: object) -> Verdict:
    """First phase in which code for two x86 CPUs differs."""
    given = word(answer)
    if given not in PHASES:
        return wrong("the name of a phase", f"{answer!r}", look=", ".join(PHASES[:3]) + ", …")
    old, new = Target.cpu("x86-64-v2"), Target.cpu("x86-64-v4")
    first = next(phase for phase in PHASES if not parted(old, new, phase, device=True).identical)
    if given == first:
        return right(f"{first}: tile sizes", look="the host program is one until then, and after")
    late = PHASES.index(given) > PHASES.index(first)
    found = f"{given}: they part earlier" if late else f"{given}: still the same"
    return wrong("the first phase that differs", found, look="parted(…)")


_TVM: Mapping[str, str] = {
    "AllocDataSpace": "hal.device.queue.alloca",
    "StreamSync": "hal.fence.await",
    "cuModuleLoadData": "hal.executable.create",
    "cuModuleGetFunction": "hal.executable.lookup.function",
    "cuLaunchKernel": "hal.command_buffer.dispatch",
    "shape assertions": "hal.buffer_view.assert",
}


def check_5_11(answer: object) -> Verdict:
    """Each op is in phase hal, and does what TVM's call did."""
    given = entries(answer)
    if given is None:
        return wrong("a dict: call of TVM → op", kind(answer), look="the task")
    there = ops(phases(SIX["llvm-cpu"])["hal"])
    for name, wanted in _TVM.items():
        if name not in given:
            return wrong("an op for each call", f"{name} is missing", look="the task")
        said = word(given[name])
        if said not in there:
            return wrong(
                "ops of phase hal", f"{name}: {said} is not in it", look=_near(said, there)
            )
        if said != wanted:
            return wrong("the op that does it", f"{name}: {said} does not", look=f"line of {said}")
    return right("six calls, six ops", look="the compiler wrote them; TVM's runtime made them")


def _near(said: str, there: Iterable[str]) -> str:
    last = said.rpartition(".")[2]
    return ", ".join(one for one in there if last and last in one)[:120] or "ops(phases(…)['hal'])"
