from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def answer(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> str | None:
    raise NotImplementedError
