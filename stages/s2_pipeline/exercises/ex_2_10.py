from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def answer(path: Path, phase: str, x: Array, w: Array, b: Array) -> Array:
    raise NotImplementedError
