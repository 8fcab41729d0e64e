"""Questions and checks of stage 4: what is answered is compiled, scheduled and run."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iree_layers.compare.comparison import compare
from iree_layers.compare.graph import Graph, graph
from iree_layers.compare.schedule import schedule
from iree_layers.compile import Target, build, program
from iree_layers.errors import LayersError
from iree_layers.execute import agree, run
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import kind, listed, whole, word
from stages.s3_frontends.nets import example, net

from .dance import check_4_9
from .fusion import traced
from .programs import CHAIN, WIDE, widths
from .relay import PATTERNS, Op, groups

__all__ = [
    "CONTEXT",
    "answer_4_q1",
    "answer_4_q2",
    "answer_4_q3",
    "check_4_1",
    "check_4_2",
    "check_4_3",
    "check_4_4",
    "check_4_5",
    "check_4_6",
    "check_4_7",
    "check_4_8",
    "check_4_9",
    "check_4_10",
    "check_4_11",
]

HERE = Path(__file__).parent
AGGRESSIVE = "--iree-dispatch-creation-enable-aggressive-fusion"
CONTEXT: dict[str, Callable[[], object]] = {}

Matrix = NDArray[np.float32]


def answer_4_q1() -> int:
    """Dispatches of the digits MLP."""
    return len(graph(net("mlp"), example("mlp")).dispatches)


def answer_4_q2() -> int:
    """Bytes for the values between four products in a row."""
    return schedule(CHAIN).transient or 0


def answer_4_q3() -> int:
    """Copies that the device makes for update.mlir."""
    found = schedule(program(HERE / "update.mlir"))
    return sum(work.op == "copy" for work in found.works)


@cache
def _matrices(count: int = 3, seed: int = 4) -> tuple[Matrix, ...]:
    make = np.random.default_rng(seed)
    return tuple(make.standard_normal((64, 64)).astype(np.float32) for _ in range(count))


def _graph(answer: str, function: str) -> Graph | Verdict:
    try:
        return graph(answer, function=function)
    except LayersError as error:
        return wrong(
            f"a program with @{function} that compiles", error.found[:300], look="the text"
        )


def _numbers(answer: str, function: str, *arrays: Matrix) -> Matrix | Verdict:
    try:
        return np.asarray(run(build(program(answer)).vmfb, function, *arrays))
    except LayersError as error:
        return wrong(
            "a program that runs with the same inputs", error.found[:300], look="its types"
        )


def check_4_1(answer: str) -> Verdict:
    """The dense layer in two kernels, with the same numbers."""
    found = _graph(answer, "dense")
    if isinstance(found, Verdict):
        return found
    x, w, b = (*_matrices(2), _matrices()[2][0])
    y = _numbers(answer, "dense", x, w, b)
    if isinstance(y, Verdict):
        return y
    if not agree(y, np.maximum(x @ w + b, 0), rtol=1e-4, atol=1e-4):
        return wrong("the numbers of dense.mlir", "other numbers", look="what still has to be done")
    if (count := len(found.dispatches)) != 2:
        return wrong("two dispatches", f"{count}", look="graph(answer)")
    return right("two dispatches, same numbers", look="and the value in between needs memory now")


def check_4_2(answer: str) -> Verdict:
    """Half of a product, doubled, in one kernel."""
    found = _graph(answer, "f")
    if isinstance(found, Verdict):
        return found
    a, b, c = _matrices()
    y = _numbers(answer, "f", a, b, c)
    if isinstance(y, Verdict):
        return y
    if y.shape != (32, 64):
        return wrong("a result of 32x64", f"shape {y.shape}", look="the slice")
    if not agree(y, 2 * (a @ b)[:32], rtol=1e-4, atol=1e-4):
        return wrong("twice the upper half of a·b", "other numbers", look="which half it is")
    if (count := len(found.dispatches)) != 1:
        return wrong("one dispatch", f"{count}", look="what stands between the product and the sum")
    return right("one dispatch", look="it also computes only half of the product")


def check_4_3(answer: object) -> Verdict:
    """The pass after which the default and aggressive fusion differ."""
    name = "product, sum, both returned"
    parted = compare(traced(name), traced(name, AGGRESSIVE)).first
    first = parted.name if parted else ""
    given = word(answer)
    if given == first:
        return right(f"{first}", look="its options say fuse-multi-use or aggressive-fusion")
    passes = [snapshot.name for snapshot in traced(name)]
    if given not in passes:
        return wrong(
            "the argument of a pass of this compile", f"{answer!r}", look="t.passes(layer)"
        )
    late = passes.index(given) > passes.index(first)
    found = f"{given}: they differ earlier" if late else f"{given}: still the same after it"
    return wrong("the first pass after which they differ", found, look="compare(a, b).first")


def check_4_4(answer: str) -> Verdict:
    """Three dispatches in one step."""
    try:
        found = schedule(answer, function="f")
    except LayersError as error:
        return wrong("a program with @f that compiles", error.found[:300], look="the text")
    steps = [work.step for work in found.dispatches]
    if len(steps) != 3:
        return wrong("three dispatches", f"{len(steps)}", look="are two of them equal, or fused?")
    if len(set(steps)) != 1:
        return wrong(
            "all three in one step", f"steps {steps}", look="does one need another's result?"
        )
    return right("three in one step", look="stream.cmd.concurrent holds them")


def check_4_5(answer: object) -> Verdict:
    """The flag with the smallest transient memory for WIDE."""
    flags = [answer] if isinstance(answer, str) else list(answer) if answer else []  # type: ignore[call-overload]
    if not flags or not all(isinstance(flag, str) and flag.startswith("--") for flag in flags):
        return wrong("a flag as a text, with its two dashes", kind(answer), look="the hint")
    try:
        found = schedule(WIDE, target=Target.TEXT.with_flags(*flags))
    except LayersError as error:
        return wrong("a flag that iree-compile takes", error.found[:200], look="its spelling")
    favour = "--iree-stream-partitioning-favor=debug"
    best = schedule(WIDE, target=Target.TEXT.with_flags(favour)).transient or 0
    if found.transient is None or found.transient > best:
        return wrong(
            f"{best:,} bytes", f"{found.transient:,} bytes", look="what runs at the same time"
        )
    return right(f"{found.transient:,} bytes in {found.steps} steps", look="the price is time")


def check_4_10(answer: str) -> Verdict:
    """A product of any shape, by one module."""
    try:
        made = build(program(answer))
        flow = build(program(answer), Target.TEXT, compile_to="flow").vmfb.read_text()
    except LayersError as error:
        return wrong("a program @f(%a, %b) that compiles", error.found[:300], look="tensor.dim")
    make = np.random.default_rng(10)
    for m, k, n in ((2, 3, 5), (7, 1, 4)):
        a, b = (make.standard_normal(s).astype(np.float32) for s in ((m, k), (k, n)))
        try:
            y = np.asarray(run(made.vmfb, "f", a, b))
        except LayersError as error:
            return wrong(f"it takes {m}x{k} and {k}x{n}", error.found[:200], look="its types")
        if y.shape != (m, n):
            return wrong(f"a result of {m}x{n}", f"shape {y.shape}", look="tensor.empty")
        if not agree(y, a @ b, rtol=1e-4, atol=1e-4):
            return wrong("a·b", "other numbers", look="the operands")
    # flow.dispatch @f_dispatch_0::@f_dispatch_0_matmul_DxDxD_f32[%1, %3, %0, %4](…      (3.13.0)
    workload = re.search(r"flow\.dispatch @[\w:@]+\[([^\]]*)\]", flow)
    count = len(workload[1].split(",")) if workload else 0
    return right(f"two shapes by one module; {count} values in the workload", look="in brackets")


def check_4_11(answer: object) -> Verdict:
    """A chain of Relay ops in two groups."""
    names = listed(answer)
    if names is None or not all(isinstance(name, str) for name in names):
        return wrong("a list of names of ops", kind(answer), look="PATTERNS of relay.py")
    if unknown := [name for name in names if name not in PATTERNS]:
        return wrong("ops of PATTERNS", f"{unknown[0]!r}", look="relay.py")
    if len(names) < 5 or not {"nn.conv2d", "sum"} <= set(names):
        return wrong("five ops or more, with nn.conv2d and sum", f"{names}", look="the task")
    found = groups([Op(name, (k - 1,) if k else ()) for k, name in enumerate(names)])
    said = " | ".join(" ".join(names[k] for k in group) for group in found)
    if len(found) != 2:
        return wrong("two groups", f"{len(found)}: {said}", look="what may follow a reduction?")
    return right(said, look="IREE would ask for loops, not for names")


_CHAINS = ([512, 1024], [512, 1024, 1536], [1024, 512, 1536], [256, 512, 768, 1024, 1280])


def check_4_6(answer: Callable[[Sequence[int]], object]) -> Verdict:
    """The peak of chains, against what the compiler allocates."""
    for sizes in _CHAINS:
        real = schedule(widths(sizes)).transient
        if whole(answer(list(sizes))) != real:
            found = f"{answer(list(sizes))!r}"
            return wrong(f"peak({sizes}) is {real:,}", found, look=_why(sizes, answer(list(sizes))))
    return right(
        f"{len(_CHAINS)} chains as the compiler packs them",
        look="best fit: the smallest gap",
    )


def _why(sizes: Sequence[int], found: object) -> str:
    if whole(found) == sum(sizes):
        return "values that are not alive at the same time share memory"
    if whole(found) == max(a + b for a, b in itertools.pairwise(sizes)):
        return "a free place that is too small cannot be used: the next one lies behind"
    return "which values are alive when a dispatch runs"


def check_4_7(answer: Callable[[str], str]) -> Verdict:
    """An edited kernel, resumed after flow: its numbers, and its machine code."""
    text = build(program(HERE / "dense.mlir"), compile_to="flow").vmfb.read_text(encoding="utf-8")
    edited = answer(text)
    if not isinstance(edited, str):
        return wrong("the edited text", kind(edited), look="return it")
    x, w, b = (*_matrices(2), _matrices()[2][0])
    dump = "--iree-hal-dump-executable-files-to=files"
    try:
        made = build(program(edited, name="dense"), compile_from="flow", flags=(dump,))
        y = np.asarray(run(made.vmfb, "dense", x, w, b))
    except LayersError as error:
        return wrong("IR that compiles after flow", error.found[:300], look="the edited lines")
    if not agree(y, np.maximum(x @ w + b, 0.5), rtol=1e-4, atol=1e-4):
        same = agree(y, np.maximum(x @ w + b, 0), rtol=1e-4, atol=1e-4)
        found = "the old numbers" if same else "other numbers"
        return wrong("max(x·w + b, 0.5)", found, look="which op uses which constant")
    code = "".join(f.read_text() for f in made.vmfb.parent.glob("files/*.optimized.ll"))
    if not re.search(r"5\.000000e-01", code):
        return wrong("0.5 in the LLVM IR of the kernel", "none", look="files/*.optimized.ll")
    return right("the numbers and the machine code have 0.5", look="no pass looks back past flow")


def check_4_8(answer: str) -> Verdict:
    """Two products on two devices."""
    try:
        found = schedule(answer, function="f", target=Target.TEXT.with_devices("dev_a", "dev_b"))
        made = build(program(answer), Target.HOST.with_devices("dev_a", "dev_b"))
        a, b = _matrices(2)
        y = np.asarray(run(made.vmfb, "f", a, b, device=("local-task", "local-sync")))
    except LayersError as error:
        return wrong(
            "a program @f(%a, %b) for two devices", error.found[:300], look="its transfers"
        )
    places = [work.affinity for work in found.dispatches]
    if places != ["@dev_a", "@dev_b"]:
        return wrong(
            "products on @dev_a, then @dev_b", f"{places}", look="iree.abi.affinity, transfer"
        )
    if not agree(y, a @ b @ b, rtol=1e-3, atol=1e-3):
        return wrong("(a·b)·b", "other numbers", look="the operands")
    return right("one product on each device", look="run it with two devices, in this order")
