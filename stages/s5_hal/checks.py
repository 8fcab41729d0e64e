"""Questions and checks of stage 5: answers are compared with what this compiler and runtime do.

`dances` has the exercises whose answer runs on a device, `builds` those that are compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from iree_layers.compare.census import ops
from iree_layers.compile import Target
from iree_layers.compile.phases import PHASES
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import entries, kind, whole, word

from .border import SIX, parted, phases
from .builds import check_5_5, check_5_6, check_5_7, check_5_8, check_5_9
from .dances import check_5_2, check_5_3, check_5_4

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
