"""Widen before subtracting: −128 − 22 does not fit into eight bits."""

import numpy as np
from numpy.typing import NDArray


def answer(q: NDArray[np.int8]) -> NDArray[np.float32]:
    return (q.astype(np.float32) - np.float32(22)) * np.float32(0.157433331)
