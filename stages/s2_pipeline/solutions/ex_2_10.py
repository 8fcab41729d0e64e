"""Each border is a whole program, so a wrong number has a first border: a bisection by running."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iree_layers import Target, agree, build, run

Array = NDArray[np.float32]


def answer(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> str | None:
    for phase, path in files.items():
        module = build(path, Target.HOST, compile_from=phase).vmfb
        if not agree(run(module, "mlp", x, w, b), expected):
            return phase
    return None
