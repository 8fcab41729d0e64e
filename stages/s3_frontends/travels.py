"""Both nets by all roads: programs that are imported already, and one that is made on the spot.

A road that needs an extra was travelled once, by a script in `make/`; what came out is in
`imported/`. So every road can be read and run here, whatever is installed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iree_layers.compile import Program, Target, build, program
from iree_layers.execute import run
from stages.s2_pipeline.digits import split

from .nets import BATCH, HERE, example, net

__all__ = ["ROADS", "entry", "held_out", "imported", "scores", "travelled"]

ROADS = (
    "turbine",
    "torch-mlir-raw",
    "torch-mlir-linalg",
    "torch-mlir-stablehlo",
    "torch-mlir-tosa",
    "onnx",
    "jax",
    "tf",
    "tflite",
)
# Channels last: (4, 8, 8, 1) and not (4, 1, 8, 8).
_LAST = ("tf", "tflite")


def imported(net: str, road: str) -> Path:
    """The stored program of a road, MLIR bytecode."""
    return HERE / "imported" / f"{net}.{road}.mlirbc"


@cache
def travelled(name: str, road: str) -> Program:
    """The program of a net (`mlp`, `cnn`, `cnn_int8`) as a road brings it."""
    if road == "turbine":
        return program(net(name), example(name), name=name)
    return program(imported(name, road), name=name)


@cache
def held_out() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The 360 held-out images, (360, 64), and their digits."""
    _, held = split()
    return held.images, held.labels


def entry(vmfb: Path) -> str:
    """The function to call: the module's only public one."""
    from iree_layers.execute import contents

    return next(e.name for e in contents(vmfb).exports if not e.name.startswith("__"))


def scores(
    name: str, road: str, target: Target = Target.HOST, device: str = "local-task"
) -> NDArray[np.float32]:
    """Scores of all held-out images, (360, 10), computed by IREE in batches of four."""
    vmfb = build(travelled(name, road), target).vmfb
    images, _ = held_out()
    shape: tuple[int, ...] = (BATCH, 64)
    if name.startswith("cnn"):
        shape = (BATCH, 8, 8, 1) if road in _LAST else (BATCH, 1, 8, 8)
    function = entry(vmfb)
    batches = images.reshape(-1, *shape)
    return np.concatenate([run(vmfb, function, batch, device=device) for batch in batches])
