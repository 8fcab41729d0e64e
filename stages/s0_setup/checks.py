"""Checks and questions of stage 0. Each one runs the answer, or reads the learner's own module."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

import numpy as np

from iree_layers.compile import Built, Target, build, program, run_tool
from iree_layers.errors import LayersError
from iree_layers.execute import agree, contents, run
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import entries, kind, listed, word

from .look import calls, message

HERE = Path(__file__).parent


def vmfb() -> Path:
    """axpb.mlir, compiled for this machine."""
    return _built().vmfb


@cache
def _built() -> Built:
    """Keep the value, not its path alone: the folder lives as long as the value does."""
    return build(program(HERE / "axpb.mlir"), Target.HOST)


CONTEXT: dict[str, Callable[[], object]] = {"vmfb": vmfb}


def _metadata(module: Path) -> str:
    return run_tool("iree-dump-module", "--output=metadata", module.name, cwd=module.parent).stdout


def answer_0_q1(*, vmfb: Path) -> int:
    """Launches that the module records."""
    return calls(vmfb)["(recording)"].count("hal.command_buffer.dispatch")


def answer_0_q2(*, vmfb: Path) -> set[str]:
    """Modules that it depends on, by its own metadata."""
    section = _metadata(vmfb).partition("Module Dependencies:")[2].partition("\n\n")[0]
    #   hal, version >= 7, required          (iree-dump-module 3.13.0)
    return set(re.findall(r"^  (\w+), version", section, re.MULTILINE))


def check_0_1(answer: object) -> Verdict:
    """Ask the installed packages which of them brings each tool."""
    given = entries(answer)
    if given is None:
        return wrong("a dict", kind(answer), look="the list in the task")
    for name in ("iree-compile", "iree-opt", "iree-run-module", "iree-dump-module"):
        if given.get(name) is None:
            return wrong("all four tools", f"{name} is missing", look="the list in the task")
        #   iree_base_compiler==3.13.0
        package = word(given[name]).partition("==")[0].strip().replace("_", "-")
        if package not in ("iree-base-compiler", "iree-base-runtime"):
            found = f"{name}: {given[name]!r} is not one of the two packages"
            return wrong(
                "iree-base-compiler or iree-base-runtime", found, look='"What is installed"'
            )
        scripts = {entry.name for entry in distribution(package).entry_points}
        if name not in scripts:
            found = f"{package} does not bring {name}"
            return wrong("the package that brings it", found, look=f"what {name} does")
    return right("two tools each", look="a machine that only runs needs the runtime alone")


def check_0_2(answer: str) -> Verdict:
    """Compile the text, look at its signature, run it, compare with NumPy."""
    x, y = np.arange(8, dtype=np.float32) - 3, np.full(8, 0.5, dtype=np.float32)
    try:
        # Without the flag the compiler would quietly make f32 of f64.
        target = Target.HOST.with_flags("--iree-input-demote-f64-to-f32=false")
        built = build(program(answer, name="square_plus"), target)
    except LayersError as error:
        #   error: outer module does not contain a vm.module op      (3.13.0)
        if "does not contain a vm.module" in error.found:
            found = "no function is public, so nothing is left to compile"
            return wrong("a public function @square_plus", found, look="the first line")
        return wrong("a program that compiles", error.found, look="the line that the message names")
    functions = {each.name: str(each) for each in contents(built.vmfb).functions}
    if "square_plus" not in functions:
        found = f"the functions are {', '.join(functions)}"
        return wrong("a public function @square_plus", found, look="the first line")
    if functions["square_plus"] != "square_plus(8xf32, 8xf32) -> 8xf32":
        return wrong("two tensor<8xf32> in, one out", functions["square_plus"], look="the types")
    result = run(built.vmfb, "square_plus", x, y)
    wanted = x * x + y
    if not agree(result, wanted):
        place = int(np.argmax(result != wanted))
        found = f"{result[place]} at place {place}, for x = {x[place]} and y = {y[place]}"
        return wrong(f"x·x + y = {wanted[place]}", found, look="what each operation takes")
    return right("x·x + y on eight numbers", look="the same text compiles for every target")


def check_0_3(answer: object, *, vmfb: Path) -> Verdict:
    """Run the command line where the module is; pass on the tool's own message."""
    words = listed(answer)
    if words is None:
        return wrong("a list of words", kind(answer), look="the brackets and commas of the task")
    if not words:
        return wrong("a list of words", "an empty list", look="the list in the task")
    tool, *arguments = map(str, words)
    if tool != "iree-run-module":
        return wrong("iree-run-module, as before", tool, look="only the arguments are at fault")
    ran = run_tool(tool, *arguments, cwd=vmfb.parent, check=False)
    printed = ran.stdout.strip().splitlines()
    if ran.exit == 0 and printed[-1:] == ["4xf32=3 5 7 9"]:
        return right("4xf32=3 5 7 9", look="--input can also read a file: --input=@x.npy")
    if ran.exit == 0:
        said = printed[-1] if printed else "nothing is printed"
        return wrong("4xf32=3 5 7 9", said, look="the values of the input, and what else is asked")
    return wrong("4xf32=3 5 7 9", message(ran), look="what the message names")


def check_0_4(answer: Callable[[Path, list[float]], object], *, vmfb: Path) -> Verdict:
    """Call the function on two modules; the second computes something else."""
    text = (HERE / "axpb.mlir").read_text()
    other = build(program(text.replace("dense<2.0>", "dense<-3.0>"), name="axpb"), Target.HOST)
    for module, factor in ((vmfb, 2), (other.vmfb, -3)):
        for numbers in ([1.0, 9.0, -20.0, 4.0], [-1.0, -2.0, -3.0, -4.0]):
            got = answer(module, list(numbers))
            expected = max(factor * number + 1 for number in numbers)
            if got is None:
                return wrong("a number", "nothing: it returns None", look="is there a return?")
            shape = tuple(getattr(got, "shape", ()))
            if shape:
                return wrong("one number", f"an array of shape {shape}", look="max()")
            # Arrays and tensors without dimensions are numbers too.
            got = got.item() if hasattr(got, "item") else got
            if not isinstance(got, float | int) or isinstance(got, bool):
                return wrong(
                    "a float or a NumPy number",
                    f"{type(got).__name__}",
                    look="what your function returns",
                )
            if float(got) == expected:
                continue
            if factor == -3:
                found = f"{float(got)}: right for axpb, wrong for another module"
                return wrong("what the module computes", found, look="is it run at all?")
            return wrong(f"the largest: {expected} for {numbers}", f"{float(got)}", look="2x + 1")
    return right("the largest of what the module computes", look="run() takes torch tensors too")


_IMPORTS = (
    "hal.device.query.i64",
    "hal.executable.create",
    "hal.command_buffer.dispatch",
    "hal.buffer_view.assert",
    "hal.device.queue.execute.indirect",
)


def check_0_5(answer: object, *, vmfb: Path) -> Verdict:
    """Compare with the disassembly: what @axpb calls, and what the other functions call."""
    given = entries(answer)
    if given is None:
        return wrong("a dict", kind(answer), look="the dict in the task")
    missing = [name for name in _IMPORTS if given.get(name) is None]
    if missing:
        return wrong("all five", f"{missing[0]} is missing", look="the dict in the task")
    each_time = calls(vmfb)["axpb"]
    for name in _IMPORTS:
        when = word(given[name])
        if when not in ("load", "call"):
            return wrong('"load" or "call"', f"{name}: {given[name]!r}", look="the task")
        if (name in each_time) != (when == "call"):
            found = f"{name} is {'' if name in each_time else 'not '}in @axpb"
            return wrong("when it is called", found, look="calls(built.vmfb)")
    return right("load: ask, load, record; call: check, submit", look="so a call is short")
