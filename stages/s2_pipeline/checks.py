"""Checks and questions of stage 2. They look at the learner's own trace, or run the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iree_layers.compare import Rule, changes, diff
from iree_layers.compile import Target, build, checkpoints, program
from iree_layers.dump import Trace, trace
from iree_layers.errors import CompileError, LayersError
from iree_layers.execute import agree, run
from iree_layers.learn import Verdict, right, wrong

from .digits import classifier

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


def inputs() -> tuple[Array, Array, Array]:
    """x, w and b: small whole numbers, so that every device gives exactly the same sums."""
    random = np.random.default_rng(0)
    return tuple(  # type: ignore[return-value]
        random.integers(-4, 5, shape).astype(np.float32) for shape in ((4, 8), (8, 16), (16,))
    )


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
    first = next(s for s in t if "flow.dispatch.workgroups" in t.text(s))
    if answer == first.name:
        return right(f"snapshot {first.index}", look="the text of the snapshot before it")
    if answer not in names:
        return wrong("a pass of this trace", f"no pass {answer!r} in it", look="show.passes(t)")
    place = names.index(answer)
    if place > first.index:
        after = t.text(place)
        found = "it makes flow.executable out of the op, later"
        if "flow.executable" not in after or "iree-flow-outline" not in answer:
            found = f"{answer} ran later, the op was there already"
        return wrong("the first pass that has it", found, look="the first hit of find")
    if "flow.dispatch.region" in t.text(place):
        found = f"{answer} makes flow.dispatch.region, another op"
    else:
        found = f"{answer} first runs earlier, and often; the op was not there already by then"
        if first.index < max(k for k, name in enumerate(names) if name == answer):
            found = f"{answer} runs before and after; when it has the op, the op is there already"
    return wrong("flow.dispatch.workgroups, for the first time", found, look="find(t, …)")


def check_2_2(answer: Sequence[str], *, t: Trace) -> Verdict:
    """The order in which the layers occur in the trace."""
    asked = ["input", "abi", "dispatch-creation", "flow", "stream"]
    asked += ["executable-targets", "hal", "vm"]
    unknown = [name for name in answer if name not in t.layers]
    if unknown:
        return wrong("layers of this trace", f"no layer {unknown[0]!r}", look="t.layers")
    if sorted(answer) != sorted(asked):
        return wrong("all eight, each once", f"{len(answer)} names", look="the list in the task")
    for one, two in pairwise(answer):
        if t.layers.index(one) > t.layers.index(two):
            return wrong(f"{two} before {one}", " → ".join(answer), look="show.strip(t)")
    return right(" → ".join(answer), look="the name of a layer is the name of the phase it ends in")


def check_2_3(answer: str, *, t: Trace) -> Verdict:
    """The layer of the first snapshot with the type."""
    first = next(s for s in t if "!hal.buffer_view" in t.text(s)).layer
    if answer not in t.layers:
        return wrong("a layer of this trace", f"no layer {answer!r}", look="t.layers")
    if answer == first:
        return right(f"{first}: the front door is built there", look="hal.tensor.import")
    if t.layers.index(answer) > t.layers.index(first):
        found = f"an earlier layer than {answer} has it"
    else:
        found = f"it is not in {answer} yet"
    return wrong("the layer of the first hit", found, look='find(t, "!hal.buffer_view")')


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
    result = run(module, "two", x, w, v)
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


def check_2_6(answer: int, *, d: Trace) -> Verdict:
    """Sum the transient allocations of the host function."""
    host = host_function(d.phase("stream"), "main")
    #   … = stream.resource.alloca uninitialized on(…) : !stream.resource<transient>{%c512} => …
    size = r"resource\.alloca .*!stream\.resource<{}>\{{%c(\d+)\}}"
    transient = sum(map(int, re.findall(size.format("transient"), host)))
    result = sum(map(int, re.findall(size.format("external"), host)))
    if answer == transient:
        return right(f"{transient} = 4 × 32 × 4 bytes: the hidden layer of a batch")
    named = {
        result: "the result: the caller gets it, so it is external",
        4 * 64 * 4: "the input: the caller owns it, so it is external",
    }
    if f"!stream.resource<constant>{{%c{answer}}}" in host:
        named[answer] = "the weights: they are constant, and allocated once"
    found = named.get(answer, f"{answer} bytes are not what is marked transient")
    return wrong("bytes that live during the call only", found, look="stream.resource.alloca")


_KINDS = {
    "tensor": r"tensor<4x8xf32>",
    "buffer_view": r"!hal\.buffer_view",
    "memref": r"memref<4x8xf32",
    "ptr": r"!llvm\.ptr",
    "buffer": r"!hal\.buffer\b",
    "ref": r"!vm\.ref<!hal\.buffer>",
}
_LIFE = {
    "input": "tensor",
    "abi": "buffer_view",
    "executable-configurations": "memref",
    "executable-targets": "ptr",
    "hal": "buffer",
    "vm": "ref",
}


def check_2_7(answer: Mapping[str, str], *, t: Trace) -> Verdict:
    """Each kind must be in the phase, and be the one that carries the data there."""
    missing = [phase for phase in _LIFE if phase not in answer]
    if missing:
        return wrong("all six phases", f"{missing[0]} is missing", look="the list in the task")
    odd = [kind for kind in answer.values() if kind not in _KINDS]
    if odd:
        return wrong(f"one of {', '.join(_KINDS)}", f"{odd[0]!r}", look="the list in the task")
    for phase, kind in _LIFE.items():
        assert re.search(_KINDS[kind], t.phase(phase)), (phase, kind)
        if answer[phase] != kind:
            seen = re.search(_KINDS[answer[phase]], t.phase(phase))
            found = f"in {phase}, {answer[phase]} " + (
                "is written, but does not carry the data" if seen else "does not occur at all"
            )
            return wrong("the type that carries the data of x", found, look=f"the phase {phase}")
    return right(" → ".join(_LIFE.values()), look="the picture of this tensor, above")


def _pair(before: str, after: str) -> tuple[str, str]:
    body = "func.func @f(%a: f32, %b: f32) -> f32 {{\n{}}}\n"
    return body.format(before), body.format(after)


_SUB = "  %0 = arith.subf %a, %b : f32\n  return %0 : f32\n"


def check_2_8(answer: Callable[[str, str], bool], *, t: Trace) -> Verdict:
    """Small pairs that each kind of mistake gets wrong, then pairs of the learner's own trace."""
    pairs = {
        "a renamed value": (_SUB.replace("%0", "%diff"), True),
        "another operation": (_SUB.replace("subf", "divf"), False),
        "another type": (_SUB.replace("f32", "f64"), False),
        "another constant": (_SUB.replace("%b", "%c2"), False),
        "swapped operands": (_SUB.replace("%a, %b", "%b, %a"), False),
    }
    constant = "  %c2 = arith.constant 2.0 : f32\n"
    for what, (text, same) in pairs.items():
        before, after = _pair(_SUB, text)
        if what == "another constant":
            before, after = _pair(constant + text, constant.replace("2.0", "3.0") + text)
        if bool(answer(before, after)) is not same:
            said = "different" if same else "the same"
            return wrong("the same" if same else "different", f"{what}: {said}", look=after)
    for one, two in _changed_pairs(t):
        if bool(answer(one, two)) is not diff(one, two, rules=NAMES).only_renumbering:
            return wrong("what diff says", "another opinion on a pair of t", look=two[:300])
    return right("five small pairs, and pairs of your own trace", look="diff(…).only_renumbering")


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


def check_2_9(answer: str, *, t: Trace, g: Trace) -> Verdict:
    """The first phase that differs once the target's own lines are taken out."""
    if answer not in t.phases:
        return wrong("a phase of this trace", f"no phase {answer!r}", look="list(t.phases)")
    first = next(
        p for p in t.phases if _without_targets(t.phase(p)) != _without_targets(g.phase(p))
    )
    order = list(t.phases)
    if answer == first:
        return right(f"{first}: each executable gets a variant per target", look="its name")
    if order.index(answer) < order.index(first):
        return wrong("the first phase that differs", f"{answer} is still the same", look="diff")
    found = f"an earlier phase than {answer} differs already"
    return wrong("the first phase that differs", found, look="diff(t.phase(p), g.phase(p))")


def check_2_10(answer: Callable[[Path, str, Array, Array, Array], Array]) -> Verdict:
    """Give it files of three phases, one of them with an edit that only the file can tell."""
    x, w, b = inputs()
    saved = checkpoints(program(HERE / "mlp.mlir"), Target.HOST)
    for phase in ("flow", "dispatch-creation", "executable-targets"):
        text = saved[phase].read_text().replace("arith.maximumf", "arith.minimumf")
        edited = saved[phase].with_name(f"mlp.min.{phase}.mlir")
        edited.write_text(text.replace("llvm.intr.maximum", "llvm.intr.minimum"))
        try:
            result = answer(edited, phase, x, w, b)
        except LayersError as error:
            if isinstance(error, CompileError):
                said = (
                    error.found.splitlines()[1].strip()[:160]
                    if "\n" in error.found
                    else error.found
                )
                return wrong(f"IR compiled on from {phase}", said, look="compile_from=")
            return wrong("the numbers of @mlp", error.found, look="the order of the arguments")
        if agree(result, np.maximum(x @ w + b, 0)):
            found = "right for mlp.mlir, but not from the file: the file is not read"
            return wrong("the numbers of the program in the file", found, look="its relu")
        if not agree(result, np.minimum(x @ w + b, 0)):
            return wrong(
                "the numbers of the program in the file",
                "found other numbers",
                look="the arguments",
            )
    return right("from three phases", look="t.phases has nine more")
