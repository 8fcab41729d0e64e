"""Exercises whose answer is run: programs, edits and functions that the learner writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from iree_layers.compare import Rule, changes, diff
from iree_layers.compile import Target, build, checkpoints, program
from iree_layers.dump import Trace
from iree_layers.errors import CompileError, LayersError, ProgramError
from iree_layers.execute import agree, run
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import whole
from iree_layers.learn.verdict import shown

from .digits import train
from .host import host_function
from .mlp import inputs
from .planted import pairs, phase_files

__all__ = ["check_2_4", "check_2_5", "check_2_6", "check_2_8", "check_2_10"]

HERE = Path(__file__).parent
Array = NDArray[np.float32]
NAMES: tuple[Rule, ...] = ("ssa",)


def check_2_4(answer: str) -> Verdict:
    """Count the dispatches at the end of stream, then run it."""
    try:
        source = program(answer, name="two")
        stream = build(source, Target.TEXT, compile_to="stream").vmfb.read_text()
        if not host_function(stream, "two"):
            return wrong("a public function @two", "a module without it", look="the first line")
        module = build(source, Target.HOST).vmfb
    except LayersError as error:
        return wrong("a program that compiles", error.found, look="the line that the message names")
    count = host_function(stream, "two").count("stream.cmd.dispatch ")
    if count != 2:
        look = "what uses all of x·w" if count < 2 else "what each of them computes"
        return wrong("two dispatches", f"{count} in the phase stream", look=look)
    x, w, _ = inputs()
    v = np.arange(32, dtype=np.float32).reshape(16, 2) - 15
    try:
        result = run(module, "two", x, w, v)
    except LayersError as error:
        return wrong("@two of x, w and v, in this order", error.found, look="the first line")
    wanted = np.maximum(x @ w, 0) @ v
    if agree(result, wanted):
        look = "the relu is in one of them with a matmul: it was fused"
        return right("relu(x·w)·v in two dispatches", look=look)
    if agree(result, x @ w @ v):
        return wrong("relu(x·w)·v", "x·w·v: there is no relu in it", look="arith.maximumf")
    if agree(result, np.maximum(x @ w @ v, 0)):
        return wrong("relu(x·w)·v", "relu(x·w·v): the relu comes last", look="where it stands")
    found = f"other numbers: {agree(result, wanted)}"
    return wrong("relu(x·w)·v", found, look="the operands of each op, and what outs begins with")


def check_2_5(answer: Callable[[str], str]) -> Verdict:
    """Edit the IR of phase flow, compile the rest, compare with NumPy."""
    x, w, b = inputs()
    before = checkpoints(program(HERE / "mlp.mlir"), Target.HOST)["flow"]
    text = before.read_text()
    after = answer(text)
    if after is None:
        return wrong("a text", "nothing: your function returns None", look="is there a return?")
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
    except LayersError as error:
        return wrong("a module with @mlp, as before", error.found, look="what else you replaced")
    wanted = np.minimum(x @ w + b, 0)
    if agree(result, wanted):
        return right("min(x·w + b, 0)", look="the edit went through five layers to machine code")
    if agree(result, np.maximum(x @ w + b, 0)):
        found = "still max(x·w + b, 0): the edit changes no result"
        return wrong("min(x·w + b, 0)", found, look="the relu")
    found = f"other numbers: {agree(result, wanted)}"
    return wrong("min(x·w + b, 0)", found, look="which operation you changed")


def check_2_6(answer: object) -> Verdict:
    """Trace the classifier for 16 images; sum the transient allocations of the host function."""
    number = whole(answer)
    if number is None:
        found = f"{type(answer).__name__}: {shown(answer)}"
        return wrong("a whole number of bytes, nothing else", found, look="the number after %c")
    host = host_function(_batch_of_16().read_text(), "main")
    #   … = stream.resource.alloca uninitialized on(…) : !stream.resource<transient>{%c512} => …
    size = r"resource\.alloca .*!stream\.resource<{}>\{{%c(\d+)\}}"
    transient = sum(map(int, re.findall(size.format("transient"), host)))
    result = sum(map(int, re.findall(size.format("external"), host)))
    if number == transient:
        return right(f"{transient} = 16 × 32 × 4 bytes", look="the hidden layer of a batch")
    named = {
        transient // 4: "the bytes for a batch of 4, or the count of values for 16: 4 bytes each",
        result: "the result: the caller gets it, so it is external",
        result + transient: "all that is allocated; a part of it is external",
        16 * 64 * 4: "the input: the caller owns it, so it is external",
        (10 * 32 + 32 * 64) * 4: "the weights: they are constant",
    }
    found = f"{number}: {named[number]}" if number in named else f"{number} bytes are not transient"
    return wrong("bytes that live during one call only", found, look="stream.resource.alloca")


@cache
def _batch_of_16() -> Path:
    source = program(train(), torch.zeros(16, 64), name="digits")
    return build(source, Target.TEXT, compile_to="stream").vmfb


def check_2_8(answer: Callable[[str, str], bool], *, t: Trace) -> Verdict:
    """Small pairs that each kind of mistake gets wrong, then pairs of the learner's own trace."""
    for what, (before, after, renumbered) in pairs().items():
        said = answer(before, after)
        if not isinstance(said, bool | np.bool_):
            found = f"{what}: your function gives {shown(said)}"
            return wrong("True or False", found, look="each return of your function")
        if bool(said) is not renumbered:
            found = f"{what}: your function says {said}"
            return wrong(f"{renumbered}", found, look=_lines_of(before, after))
    for what, look, before, after in _own_pairs(t):
        said, wanted = answer(before, after), diff(before, after, rules=NAMES).only_renumbering
        if bool(said) is not wanted:
            found = f"{what}: your function says {said}"
            return wrong(f"{wanted}, as diff says", found, look=look)
    return right("small pairs, and pairs of your own trace", look="diff(…).only_renumbering")


def _lines_of(before: str, after: str) -> str:
    """The lines of a small pair that differ."""
    both = zip(before.splitlines(), after.splitlines(), strict=True)
    lines = [f"before: {one.strip()}\nafter:  {two.strip()}" for one, two in both if one != two]
    return "\n".join(lines) or "before and after are one text; do they differ?"


def _own_pairs(t: Trace) -> list[tuple[str, str, str, str]]:
    """Pairs of the trace, with words: one that only has other numbers, and real changes."""
    text = t.phase("flow")
    more = re.sub(r"%(\d+)", lambda name: f"%{int(name[1]) + 1}", text)
    what = 't.phase("flow"), with each %n called %n+1'
    made = [(what, "names that are a part of longer names, or the next name", text, more)]
    for change in changes(t):
        start, end = change.before_index, change.index
        if change.changed and start is not None and t[end].layer == "dispatch-creation":
            look = f"diff(t.text({start}), t.text({end}))"
            made.append((f"snapshots {start} and {end}", look, t.text(start), t.text(end)))
    return made[:9]


Found = Callable[[Mapping[str, Path], Array, Array, Array, Array], str | None]


def check_2_10(answer: Found) -> Verdict:
    """Two runs that went wrong at different borders, and one that did not."""
    for guilty in ("flow", "executable-sources", None):
        files = phase_files(guilty)
        x, w, b = inputs()
        try:
            got = answer(dict(files), x, w, b, np.maximum(x @ w + b, 0))
        except ProgramError as error:
            if "compile_from" not in error.todo:
                raise
            return wrong("each file compiled from its phase on", error.found, look=error.todo)
        named = got is None or isinstance(got, str)
        if not named or got != guilty:
            return _misjudged(got, guilty, list(files))
    return right("two planted faults, and a run without one", look="try it when your model is off")


def _misjudged(got: object, guilty: str | None, order: Sequence[str]) -> Verdict:
    """What is wrong with the phase that was found."""
    if got is None:
        found = "one set of files has a fault; you found none"
        return wrong("the first phase with wrong numbers", found, look="what you compare, and how")
    if not isinstance(got, str):
        kind = "Path" if isinstance(got, Path) else type(got).__name__
        look = "what you return; a phase is a key of files"
        return wrong("the name of a phase, or None", f"{kind}: {shown(got)}", look=look)
    if got not in order:
        return wrong("a key of files, or None", f"the text {got!r}", look="list(files)")
    look = "the numbers of each phase"
    if guilty is None:
        found = f"{got}: this set of files has no fault"
        look = "a comment is no fault" if got == "abi" else f"build(…, compile_from={got!r})"
    elif order.index(got) < order.index(guilty):
        found = f"{got}: the numbers are still right from there"
    else:
        found = f"{got}: it went wrong earlier"
    return wrong("the first phase with wrong numbers", found, look=look)
