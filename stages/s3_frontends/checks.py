"""Questions and checks of stage 3: what is answered is compiled and run, or compared by road."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from iree_layers.compare.census import ops
from iree_layers.compile import Program, build, program
from iree_layers.compile.phases import PHASES
from iree_layers.errors import LayersError
from iree_layers.execute import agree, run
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import kind, word

from .converge import bodies, phase_texts, same
from .nets import net
from .travels import ROADS, held_out, travelled

__all__ = [
    "answer_3_q1",
    "check_3_1",
    "check_3_2",
    "check_3_3",
    "check_3_4",
    "check_3_5",
    "check_3_6",
    "check_3_7",
    "check_3_8",
    "check_3_9",
    "check_3_10",
]

_MOVES = ("transpose", "reshape", "broadcast")


def answer_3_q1() -> frozenset[str]:
    """Roads whose program of the MLP has no op that only moves data."""
    return frozenset(
        road
        for road in ROADS
        if not any(move in name for name in ops(travelled("mlp", road).text) for move in _MOVES)
    )


def check_3_1(answer: object) -> Verdict:
    """Run the learner's program with batches of 1 and 7."""
    if not isinstance(answer, Program):
        return wrong("a program, made by program(…)", kind(answer), look="the task")
    images, _ = held_out()
    try:
        vmfb = build(answer).vmfb
    except LayersError as error:
        return wrong("a program that compiles", error.found[:300], look="try another road")
    for size in (1, 7):
        x = torch.from_numpy(images[:size]).reshape(-1, 1, 8, 8)
        try:
            found = run(vmfb, "main", x)
        except LayersError as error:
            return wrong(f"it takes a batch of {size}", error.found[:200], look="dynamic={…}")
        with torch.no_grad():
            wanted = net("cnn")(x).numpy()
        if not agree(found, wanted, rtol=1e-4, atol=1e-4):
            return wrong("the scores of net('cnn')", "other scores", look="which net it is")
    return right("batches of 1 and 7 by one module", look=f"it came by {answer.road}")


def _compiled(
    answer: str, name: str, *arrays: NDArray[np.float32]
) -> NDArray[np.float32] | Verdict:
    """The result of function @f of a text, or what is wrong with it."""
    try:
        return np.asarray(run(build(program(answer, name=name)).vmfb, "f", *arrays))
    except LayersError as error:
        return wrong("a program that compiles and takes the input", error.found[:300], look="@f")


def check_3_2(answer: str) -> Verdict:
    """A reshape with fixed shapes: 2x4 to 8."""
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    if "stablehlo." not in answer:
        return wrong("StableHLO", "another dialect", look="stablehlo.reshape")
    found = _compiled(answer, "flat", x)
    if isinstance(found, Verdict):
        return found
    if found.shape == (8,) and agree(found, x.ravel()):
        return right("eight numbers in order", look="fixed shapes are the price of StableHLO here")
    return wrong("the eight numbers of x in order", f"shape {found.shape}", look="the result type")


def check_3_3(answer: str) -> Verdict:
    """The TOSA text in the spelling of this compiler."""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    if "tosa.reshape" not in answer:
        return wrong("tosa.reshape kept", "it is gone", look="repair the line of const_shape")
    found = _compiled(answer, "tosa", x)
    if isinstance(found, Verdict):
        return found
    if agree(found, x.reshape(3, 2)):
        return right("2x3 → 3x2", look="IREE prints its own spelling: program(…).text of bytecode")
    return wrong("x as 3x2", f"{found.tolist()}", look="the values of the shape")


def check_3_4(answer: str) -> Verdict:
    """Unsqueeze as opset 13 has it."""
    x = np.arange(4, dtype=np.float32)
    if "onnx.Unsqueeze" not in answer:
        return wrong("onnx.Unsqueeze kept", "it is gone", look="its axes")
    found = _compiled(answer, "onnx", x)
    if isinstance(found, Verdict):
        return found
    if agree(found, x[None]):
        return right("4 → 1x4", look="iree-import-onnx --opset-version 17 does this to a file")
    return wrong("x with a dimension in front", f"shape {found.shape}", look="axes")


def check_3_5(answer: str) -> Verdict:
    """First phase at whose end two roads have the same program."""
    given = word(answer)
    if given not in PHASES:
        return wrong("the name of a phase", f"{answer!r}", look=", ".join(PHASES[:4]) + ", …")
    one, two = phase_texts("mlp", "torch-mlir-raw"), phase_texts("mlp", "torch-mlir-linalg")
    first = next(phase for phase in PHASES if same(one[phase], two[phase]))
    if given == first:
        return right(
            f"{first}: what torch-mlir did, IREE does in it", look="its plug-in is torch-mlir"
        )
    late = PHASES.index(given) > PHASES.index(first)
    found = f"{given}: they agree earlier" if late else f"{given}: they still differ"
    return wrong("the first phase at which they agree", found, look="same(a, b) of converge")


def check_3_6(answer: Callable[[str], str]) -> Verdict:
    """PyTorch's kernel, edited, against JAX's."""
    mine, wanted = bodies("mlp", "turbine")[0], bodies("mlp", "jax")[0]
    edited = answer(mine)
    if not isinstance(edited, str):
        return wrong("a text", kind(edited), look="what your function returns")
    if edited == mine:
        return wrong("an edited text", "the text is as it was", look="cmpf and select")
    if same(edited, wanted):
        return right("the two kernels are one", look="for NaN they were not: maximumf keeps it")
    return wrong("JAX's kernel", "they still differ", look="show.diff(diff(edited, jax))")


def check_3_7(answer: object) -> Verdict:
    """Three calls of a program with state."""
    if not isinstance(answer, Program):
        return wrong("a program, made by program(…)", kind(answer), look="the Counter above")
    try:
        vmfb = build(answer).vmfb
        found = [float(np.ravel(run(vmfb, "main", torch.ones(2)))[0]) for _ in range(3)]
    except LayersError as error:
        return wrong("a program of a tensor<2xf32>", error.found[:300], look="the example input")
    if found == [1, 2, 3]:
        return right("1, 2, 3", look="util.global private mutable")
    if found == [1, 1, 1]:
        return wrong("the number of calls", "1 each time: nothing is kept", look="register_buffer")
    return wrong("1, 2 and 3", f"{found}", look="what is added at each call")


def check_3_8(answer: Callable[[NDArray[np.int8]], NDArray[np.float32]]) -> Verdict:
    """From i8 to scores, with the scale and zero point at the end of the quantised net."""
    text = travelled("cnn_int8", "tflite").text
    # %0 = tosa.const values(dense<0.157433331> : tensor<1x1xf32>) : …            (tflite, 2026.2)
    scale, zero = map(float, re.findall(r"values\(dense<(\S+)> : tensor<1x1xf32>\)", text)[:2])
    q = np.array([-128, 0, 22, 127], np.int8)
    found = np.asarray(answer(q), np.float64)
    wanted = (q.astype(np.float64) - zero) * scale
    if np.allclose(found, wanted, rtol=1e-5):
        return right(f"(q − {zero:g}) · {scale:.4f}", look="an i8 alone means nothing")
    if np.allclose(found, q.astype(np.float64) * scale, rtol=1e-5):
        return wrong("zero at q = 22", "the zero point is not subtracted", look="both constants")
    if np.allclose(found, wanted / scale):
        return wrong("real numbers", "not scaled", look="both constants")
    return wrong(f"{wanted.round(3).tolist()}", f"{found.tolist()}", look="i8 runs over at −150")


def check_3_9(answer: str) -> Verdict:
    """The bias of a linear layer in StableHLO."""
    x = np.arange(40, dtype=np.float32).reshape(4, 10)
    b = np.arange(10, dtype=np.float32) - 5
    found = _compiled(answer, "bias", x, b)
    if isinstance(found, Verdict):
        return found
    if "broadcast_in_dim" not in answer:
        return wrong("an op that broadcasts", "there is none", look="stablehlo.broadcast_in_dim")
    if agree(found, x + b):
        return right("x + b", look="dims = [1]: the ten numbers are columns")
    return wrong("b added to each row", "other numbers", look="dims")


def check_3_10(answer: str) -> Verdict:
    """The op that reads a weight in TensorFlow's program."""
    found = ops(travelled("mlp", "tf").text)
    given = word(answer)
    if given == "ml_program.global_load":
        return right("one for each variable", look="a tf.Variable may change, so it is no constant")
    if given in found:
        return wrong("the op that reads a variable", f"{given} does not", look="ml_program")
    return wrong("an op of travelled('mlp', 'tf')", f"{answer!r}", look="ops(…text)")
