"""Inputs of the program in mlp.mlir."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def inputs() -> tuple[Array, Array, Array]:
    """x, w and b: small whole numbers, so that every device gives exactly the same sums."""
    random = np.random.default_rng(0)
    return tuple(  # type: ignore[return-value]
        random.integers(-4, 5, shape).astype(np.float32) for shape in ((4, 8), (8, 16), (16,))
    )
