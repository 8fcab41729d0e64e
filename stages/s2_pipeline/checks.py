"""Checks and questions of stage 2. They look at the learner's own trace, or run the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from iree_layers.compare import Rule, changes, diff
from iree_layers.compile import Target, build, checkpoints, program
from iree_layers.dump import Trace, trace
from iree_layers.errors import CompileError, LayersError, ProgramError
from iree_layers.execute import agree, run
from iree_layers.learn import Verdict, right, wrong

from .digits import classifier, train
from .mlp import inputs
from .planted import pairs, phase_files

HERE = Path(__file__).parent
Array = NDArray[np.float32]
NAMES: tuple[Rule, ...] = ("ssa",)


@cache
def mlp_trace() -> Trace:
    """The 12-line program, traced for the CPU that the text talks about."""
    return trace(program(HERE / "mlp.mlir"), Target.TEXT)


@cache
def digits_trace() -> Trace:
    """The trained classifier, traced likewise."""
    model, inputs = classifier()
    return trace(program(model, *inputs, name="digits"), Target.TEXT)


@cache
def vulkan_trace() -> Trace:
    """The 12-line program for a GPU."""
    return trace(program(HERE / "mlp.mlir"), Target.vulkan("llvmpipe"))


CONTEXT: dict[str, Callable[[], object]] = {
    "t": mlp_trace,
    "d": digits_trace,
    "g": vulkan_trace,
}


def host_function(text: str, name: str = "mlp") -> str:
    """The lines of the host function `@name` at the end of a phase."""
    lines = text.splitlines()
    heads = [k for k, line in enumerate(lines) if re.search(rf"func public @{name}\(", line)]
    if not heads:
        return ""
    indent = lines[heads[0]][: len(lines[heads[0]]) - len(lines[heads[0]].lstrip())]
    end = next(k for k in range(heads[0] + 1, len(lines)) if lines[k] == indent + "}")
    return "\n".join(lines[heads[0] : end + 1])


# Questions


def answer_2_q1(*, t: Trace) -> int:
    """Snapshots of the run."""
    return len(t)


def answer_2_q2(*, t: Trace) -> int:
    """Snapshots that differ from the IR before their pass."""
    return sum(change.changed for change in changes(t))


def answer_2_q3(*, t: Trace) -> int:
    """Calls of the device in the host program."""
    return host_function(t.phase("stream")).count("stream.cmd.dispatch ")


def answer_2_q4(*, t: Trace) -> str:
    """First phase whose host function computes on no tensor.

    `stream.tensor.import` and `.export` still *name* a tensor type: it is the shape of the view,
    not the type of a value.
    """
    return next(
        phase
        for phase in t.phases
        if (host := host_function(t.phase(phase)))
        and not re.search(r"= (?:flow\.dispatch|linalg\.|arith\.\w+f|hal\.tensor\.)", host)
    )


# Exercises


def check_2_1(answer: str, *, t: Trace) -> Verdict:
    """The pass of the first snapshot that holds the op."""
    names = [snapshot.name for snapshot in t]
    #   --iree-stream-schedule-allocation, or with {options}: the argument is what is between
    answer = str(answer).strip().lstrip("-").partition("{")[0]
    if answer in {snapshot.header.pass_class for snapshot in t}:
        return wrong("the argument of a pass", "that is the class", look="the name of a hit")
    if answer not in names:
        return wrong("a pass of this trace", f"no pass {answer!r} in it", look="show.passes(t)")
    first = next(s for s in t if "stream.cmd.dispatch" in t.text(s))
    if answer == first.name:
        return right(f"snapshot {first.index}", look=f"t.text({first.index}): it has sizes now")
    places = [place for place, name in enumerate(names) if name == answer]
    text = t.text(places[0])
    made = [op for op in ("stream.tensor.dispatch", "stream.async.execute") if op in text]
    if places[0] < first.index < places[-1]:
        found = f"{answer} runs before and after; when it has the op, another pass made it"
    elif made and places[0] < first.index:
        found = f"{answer} makes {made[-1]}, another op"
    else:
        found = f"{answer} does not make it"
    return wrong("stream.cmd.dispatch, for the first time", found, look="the first hit of find")


_EVENTS = (
    "vm.call",
    "llvm.func",
    "linalg.matmul",
    "hal.tensor.import",
    "stream.timepoint.await",
    "hal.executable.variant",
    "flow.dispatch.workgroups",
    "hal.command_buffer.dispatch",
)


def check_2_2(answer: Sequence[str], *, t: Trace) -> Verdict:
    """The order in which the ops appear in the trace."""
    if isinstance(answer, str):
        return wrong("a list of eight names", "one text", look="the list in the task")
    odd = [name for name in answer if name not in _EVENTS]
    if odd:
        return wrong("the eight of the task", f"{odd[0]} is not one of them", look="the task")
    if sorted(answer) != sorted(_EVENTS):
        names = "one name" if len(answer) == 1 else f"{len(answer)} names"
        return wrong("all eight, each once", names, look="the list in the task")
    texts = [(snapshot.index, t.text(snapshot)) for snapshot in t if snapshot.same_as is None]
    first = {name: next(index for index, text in texts if name in text) for name in _EVENTS}
    for one, two in pairwise(answer):
        if first[one] > first[two]:
            return wrong(f"{two} before {one}", " → ".join(answer), look=f'find(t, "{two}")')
    return right(" → ".join(answer), look="an op may appear long before the layer of its dialect")


def check_2_3(answer: str, *, t: Trace) -> Verdict:
    """The layer of the first snapshot with the type."""
    answer = str(answer).strip()
    if answer not in t.layers:
        return wrong("a layer of this trace", f"no layer {answer!r}", look="t.layers")
    first = next(s for s in t if "memref<" in t.text(s))
    if answer == first.layer:
        return right(f"{first.layer}, by {first.name}", look="before any tiling has happened")
    if t.layers.index(answer) > t.layers.index(first.layer):
        found = f"an earlier layer than {answer} has it"
    else:
        found = f"it is not in {answer} yet"
    return wrong("the layer of the first hit", found, look='find(t, "memref<")')


def check_2_4(answer: str) -> Verdict:
    """Count the dispatches at the end of stream, then run it."""
    x, w, _ = inputs()
    v = np.arange(32, dtype=np.float32).reshape(16, 2) - 15
    try:
        source = program(answer, name="two")
        stream = build(source, Target.TEXT, compile_to="stream").vmfb.read_text()
        module = build(source, Target.HOST).vmfb
    except CompileError as error:
        return wrong("a program that compiles", error.found, look="the line that the message names")
    if not host_function(stream, "two"):
        return wrong("a function @two", "a module without it", look="the first line")
    count = host_function(stream, "two").count("stream.cmd.dispatch ")
    if count != 2:
        return wrong("two dispatches", f"{count} in the phase stream", look="what uses all of x·w")
    try:
        result = run(module, "two", x, w, v)
    except LayersError as error:
        return wrong("@two of x, w and v, in this order", error.found, look="the first line")
    if not agree(result, np.maximum(x @ w, 0) @ v):
        if agree(result, x @ w @ v):
            return wrong("relu(x·w)·v", "x·w·v: there is no relu in it", look="arith.maximumf")
        return wrong("relu(x·w)·v", "other numbers", look="the operands of each op")
    return right("relu(x·w)·v in two dispatches", look="the relu is in the first: it was fused")


def check_2_5(answer: Callable[[str], str]) -> Verdict:
    """Edit the IR of phase flow, compile the rest, compare with NumPy."""
    x, w, b = inputs()
    before = checkpoints(program(HERE / "mlp.mlir"), Target.HOST)["flow"]
    text = before.read_text()
    after = answer(text)
    if not isinstance(after, str):
        return wrong("a text", f"{type(after).__name__}", look="what your function returns")
    if after == text:
        return wrong("an edited text", "the text is as it was", look="what replace looks for")
    edited = before.with_name("edited.mlir")
    edited.write_text(after)
    try:
        result = run(build(edited, Target.HOST, compile_from="flow").vmfb, "mlp", x, w, b)
    except CompileError as error:
        return wrong("IR that compiles", error.found, look="the name of the operation")
    if agree(result, np.minimum(x @ w + b, 0)):
        return right("min(x·w + b, 0)", look="the edit went through five layers to machine code")
    if agree(result, np.maximum(x @ w + b, 0)):
        return wrong("min(x·w + b, 0)", "still max: the edit changes no operation", look="the relu")
    return wrong("min(x·w + b, 0)", "other numbers", look="which operation you changed")


def check_2_6(answer: int) -> Verdict:
    """Trace the classifier for 16 images; sum the transient allocations of the host function."""
    if not isinstance(answer, int):
        return wrong("a whole number", f"{answer!r}", look="the number after %c")
    host = host_function(_batch_of_16().read_text(), "main")
    #   … = stream.resource.alloca uninitialized on(…) : !stream.resource<transient>{%c512} => …
    size = r"resource\.alloca .*!stream\.resource<{}>\{{%c(\d+)\}}"
    transient = sum(map(int, re.findall(size.format("transient"), host)))
    result = sum(map(int, re.findall(size.format("external"), host)))
    if answer == transient:
        return right(f"{transient} = 16 × 32 × 4 bytes", look="the hidden layer of a batch")
    named = {
        transient // 4: "that is for a batch of 4",
        result: "that is the result: the caller gets it, so it is external",
        16 * 64 * 4: "that is the input: the caller owns it, so it is external",
    }
    found = named.get(answer, f"{answer} bytes are not what is marked transient")
    return wrong("bytes that live during one call only", found, look="stream.resource.alloca")


@cache
def _batch_of_16() -> Path:
    source = program(train(), torch.zeros(16, 64), name="digits")
    return build(source, Target.TEXT, compile_to="stream").vmfb


# The line of a phase that shows each fact about the result; group 1 is the fact.
_RESULT = {
    "abi": r"= (hal\.tensor\.\w+) %\w+ \"output0\"",
    "stream": r"stream\.timepoint\.await %\w+ => %result : !stream\.resource<(\w+)>",
    "executable-sources": r"binding\((\d)\) .*writeonly",
    "hal": r"%transient_buffer = ([\w.]+)<",
    "vm": r"vm\.call\.variadic @(hal\.buffer_view\.create)\(",
}


def check_2_7(answer: Mapping[str, object], *, t: Trace) -> Verdict:
    """Each fact is read from the trace, by the line that shows it."""
    missing = [phase for phase in _RESULT if phase not in answer]
    if missing:
        return wrong("all five entries", f"{missing[0]} is missing", look="the task")
    for phase, pattern in _RESULT.items():
        shown = re.search(pattern, t.phase(phase))
        assert shown, (phase, pattern)
        if _word(answer[phase]) != shown[1]:
            found = f"{phase}: {answer[phase]} is something else"
            return wrong("what the line of the result says", found, look=f"phase {phase}, the end")
    facts = " → ".join(str(fact) for fact in answer.values())
    return right(facts, look="the caller owns the result: nothing is copied on the way out")


def check_2_8(answer: Callable[[str, str], bool], *, t: Trace) -> Verdict:
    """Small pairs that each kind of mistake gets wrong, then pairs of the learner's own trace."""
    for what, (before, after, renumbered) in pairs().items():
        if bool(answer(before, after)) is not renumbered:
            found = f"{what}: your function says {not renumbered}"
            return wrong(f"{renumbered}", found, look=after)
    for one, two in _changed_pairs(t):
        if bool(answer(one, two)) is not diff(one, two, rules=NAMES).only_renumbering:
            return wrong("what diff says", "another opinion on a pair of t", look=two[:300])
    return right("six small pairs, and pairs of your own trace", look="diff(…).only_renumbering")


def _changed_pairs(t: Trace) -> list[tuple[str, str]]:
    """Texts before and after the passes of dispatch creation that ran on the host function."""
    found = [change for change in changes(t) if change.changed and change.before_index is not None]
    rows = [change for change in found if t[change.index].layer == "dispatch-creation"]
    return [(t.text(row.before_index or 0), t.text(row.index)) for row in rows][:8]


def _without_targets(text: str) -> str:
    """A phase without the lines that define or name the device target."""
    kept = [
        line for line in text.splitlines() if not re.match(r"#(?:executable|device)_target", line)
    ]
    return "\n".join(line for line in kept if not re.search(r"@__device_0 = ", line))


def check_2_9(answer: Mapping[str, str], *, t: Trace, g: Trace) -> Verdict:
    """The pipelines that the compiler wrote into both traces."""
    if set(answer) != {"t", "g"}:
        return wrong("both t and g", f"{sorted(answer)}", look="the task")
    given = {which: _word(answer[which]) for which in ("t", "g")}
    #   #translation = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<Name>, {…}>
    name = re.compile(r"translation_info<pipeline = #[\w.]+<(\w+)>")
    chosen = {}
    for which, traced in (("t", t), ("g", g)):
        line = name.search(traced.phase("executable-configurations"))
        assert line, which
        chosen[which] = line[1]
    if given == chosen:
        return right(f"{chosen['t']} and {chosen['g']}", look="their passes: show.passes(…)")
    if given == {"t": chosen["g"], "g": chosen["t"]}:
        return wrong("t is the CPU, g the GPU", "they are swapped", look="t.target, g.target")
    which = next(which for which in chosen if given[which] != chosen[which])
    found = f"{which}: {given[which]} is not its pipeline"
    return wrong("the word after pipeline", found, look="executable-configurations")


def _word(answer: object) -> str:
    """An op, an attribute or a type that was copied with what is around it: the word alone."""
    #   pipeline<DoubleTilingExpert>     !stream.resource<external>     @hal.buffer_view.create
    text = str(answer).strip().strip("`\"'@% ")
    inner = re.fullmatch(r"[!#]?[\w. =#]*<([\w*]+)>.*", text)
    return inner[1] if inner else text


Found = Callable[[Mapping[str, Path], Array, Array, Array, Array], str | None]


def check_2_10(answer: Found) -> Verdict:
    """Two runs that went wrong at different borders, and one that did not."""
    x, w, b = inputs()
    expected = np.maximum(x @ w + b, 0)
    for guilty in ("flow", "executable-sources", None):
        files = phase_files(guilty)
        try:
            got = answer(files, x, w, b, expected)
        except ProgramError as error:
            if "compile_from" not in error.todo:
                raise
            return wrong("each file compiled from its phase on", error.found, look=error.todo)
        if got != guilty:
            return _misjudged(got, guilty, list(files))
    return right("two planted faults, and a run without one", look="try it when your model is off")


def _misjudged(got: object, guilty: str | None, order: Sequence[str]) -> Verdict:
    """What is wrong with the phase that was found."""
    if got is None:
        found = "you found none, and one of these sets of files has a fault"
        return wrong("the first phase with wrong numbers", found, look="what you compare, and how")
    if not isinstance(got, str):
        return wrong("the name of a phase", f"{type(got).__name__}", look="what you return")
    if got not in order:
        return wrong("a phase of files, or None", f"{got!r}", look="what you return")
    if guilty is None:
        found = f"{got}: no phase of that run is wrong; a comment in a text is no fault"
    elif order.index(got) < order.index(guilty):
        found = f"{got}: the numbers are still right from there"
    else:
        found = f"{got}: it went wrong earlier"
    return wrong("the first phase with wrong numbers", found, look="run each of them")
