from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iree_layers import Target, build, program, run

Array = NDArray[np.float32]


def _twice(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    rest = build(path, Target.HOST, compile_from=phase)
    return 2 * run(rest.vmfb, "mlp", x, w, b)


def _swapped(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    return run(build(path, Target.HOST, compile_from=phase).vmfb, "mlp", w, x, b)


def _always_flow(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    return run(build(path, Target.HOST, compile_from="flow").vmfb, "mlp", x, w, b)


def _other_program(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    mlp = program(Path(__file__).parents[1] / "mlp.mlir")
    return run(build(mlp, Target.HOST).vmfb, "mlp", x, w, b)


wrong = {
    "found other numbers": _twice,
    "argument 0": _swapped,
    "from dispatch-creation": _always_flow,
    "the file is not read": _other_program,
}
