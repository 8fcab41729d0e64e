from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iree_layers import Target, build, program, run

Array = NDArray[np.float32]


def _from_the_start(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    return run(build(path, Target.HOST).vmfb, "mlp", x, w, b)


def _numpy(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    return np.maximum(x @ w + b, 0)


def _swapped(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    return run(build(path, Target.HOST, compile_from=phase).vmfb, "mlp", w, x, b)


def _always_flow(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    return run(build(path, Target.HOST, compile_from="flow").vmfb, "mlp", x, w, b)


def _other_program(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    mlp = program(Path(__file__).parents[1] / "mlp.mlir")
    return run(build(mlp, Target.HOST).vmfb, "mlp", x, w, b)


wrong = {
    "from phase dispatch-creation": _from_the_start,
    "not from the file": _numpy,
    "shape": _swapped,
    "from phase stream": _always_flow,
    "the file is not read": _other_program,
}
