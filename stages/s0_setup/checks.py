"""Checks and questions of stage 0. Each one runs the answer, or reads the learner's own module."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

import numpy as np

from iree_layers.compile import Built, Target, build, program, run_tool
from iree_layers.errors import CompileError, LayersError
from iree_layers.execute import agree, contents, run
from iree_layers.learn import Verdict, right, wrong

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
    """Files with machine code in the module."""
    return sum(not member.name.endswith(".fb") for member in contents(vmfb).members)


def answer_0_q2(*, vmfb: Path) -> set[str]:
    """Modules that it depends on, by its own metadata."""
    section = _metadata(vmfb).partition("Module Dependencies:")[2].partition("\n\n")[0]
    #   hal, version >= 7, required          (iree-dump-module 3.13.0)
    return set(re.findall(r"^  (\w+), version", section, re.MULTILINE))


def check_0_6(answer: Mapping[str, str]) -> Verdict:
    """Ask the installed packages which of them brings each tool."""
    for name in ("iree-compile", "iree-opt", "iree-run-module", "iree-dump-module"):
        if name not in answer:
            return wrong("all four tools", f"{name} is missing", look="the list in the task")
        if answer[name] not in ("iree-base-compiler", "iree-base-runtime"):
            found = f"{answer[name]!r} is not one of the two packages"
            return wrong("iree-base-compiler or iree-base-runtime", found, look="section 0.1")
        scripts = {entry.name for entry in distribution(answer[name]).entry_points}
        if name not in scripts:
            found = f"{answer[name]} does not bring {name}"
            return wrong("the package that brings it", found, look=f"what {name} does")
    return right("two tools each", look="a machine that only runs needs the runtime alone")


def check_0_1(answer: str) -> Verdict:
    """Compile the text, run @square_plus, compare with NumPy."""
    x, y = np.arange(8, dtype=np.float32) - 3, np.full(8, 0.5, dtype=np.float32)
    try:
        built = build(program(answer, name="square_plus"), Target.HOST)
    except CompileError as error:
        return wrong("a program that compiles", error.found, look="the line that the message names")
    try:
        result = run(built.vmfb, "square_plus", x, y)
    except LayersError as error:
        return wrong("a function @square_plus of two tensor<8xf32>", error.found, look="line 1")
    same = agree(result, x * x + y)
    if not same:
        return wrong("x·x + y", f"other numbers: {same.detail}", look="what each operation takes")
    return right("x·x + y on eight numbers", look="the same text compiles for every target")


def check_0_2(answer: Sequence[str], *, vmfb: Path) -> Verdict:
    """Run the command line where the module is; look at what it prints."""
    tool, *arguments = answer
    if tool != "iree-run-module":
        return wrong("iree-run-module, as before", tool, look="only the arguments are at fault")
    ran = run_tool(tool, *arguments, cwd=vmfb.parent, check=False)
    if ran.exit == 0 and "4xf32=3 5 7 9" in ran.stdout:
        return right("4xf32=3 5 7 9", look="--input can also read a file: --input=@x.npy")
    said = (ran.stderr.strip() or ran.stdout.strip()).splitlines()
    faults = {
        "no driver": "the name of the device",
        "no function": "the name of the function",
        "element type mismatch": "the element type of the input",
        "shape dimension": "the shape of the input",
    }
    text = " ".join(said)
    look = next((hint for word, hint in faults.items() if word in text), "the values of the input")
    return wrong("4xf32=3 5 7 9", said[-1][:200] if said else "nothing", look=look)


def check_0_3(answer: Callable[[Path, list[float]], object], *, vmfb: Path) -> Verdict:
    """Call the function twice, with numbers that tell max from min and from the last one."""
    for numbers in ([1.0, 9.0, -20.0, 4.0], [-1.0, -2.0, -3.0, -4.0]):
        got = answer(vmfb, numbers)
        expected = max(2 * number + 1 for number in numbers)
        if isinstance(got, np.ndarray) and got.ndim:
            return wrong("one number", f"an array of shape {got.shape}", look="the method max()")
        if not isinstance(got, float | int | np.floating):
            return wrong("a float", f"{type(got).__name__}", look="what your function returns")
        if float(got) != expected:
            return wrong(f"{expected} for {numbers}", f"{float(got)}", look="largest, of 2x + 1")
    return right("the largest of 2x + 1", look="run() takes torch tensors too")


def check_0_4(answer: str, *, vmfb: Path) -> Verdict:
    """Compare with the members of the module."""
    members = {member.name for member in contents(vmfb).members}
    code = {name for name in members if not name.endswith(".fb")}
    if answer in code:
        return right(answer, look="it is an ELF library: the dispatch is a function in it")
    if answer in members:
        return wrong("machine code", f"{answer} is bytecode of the host", look="the other file")
    return wrong("a file in the module", f"no file {answer!r} in it", look="contents(built.vmfb)")


def check_0_5(answer: int, *, vmfb: Path) -> Verdict:
    """Compare with the numbering in the module's own metadata."""
    section = _metadata(vmfb).partition("Imported Functions:")[2].partition("\n\n")[0]
    #   [  0] hal.buffer.assert(!vm.ref<?>, …) -> ()          (iree-dump-module 3.13.0)
    count = len(re.findall(r"^  \[ *\d+\] hal\.", section, re.MULTILINE))
    if answer == count:
        return right(f"{count} functions of hal", look="it pays for what it uses: no more is asked")
    if answer == count - 1:
        return wrong("how many", f"{answer} is the last number", look="the first number: it is 0")
    return wrong("the functions under Imported Functions", f"{answer}", look="iree-dump-module")
