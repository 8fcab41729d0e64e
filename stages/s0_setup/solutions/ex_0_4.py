"""The module wants f32: NumPy has to be told, because it makes float64 of Python numbers."""

from pathlib import Path

import numpy as np

from iree_layers import run


def answer(vmfb: Path, numbers: list[float]) -> float:
    return float(run(vmfb, "axpb", np.array(numbers, dtype=np.float32)).max())
