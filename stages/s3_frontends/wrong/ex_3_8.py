import numpy as np
from numpy.typing import NDArray


def _scaled(q: NDArray[np.int8]) -> NDArray[np.float32]:
    return q.astype(np.float32) * np.float32(0.157433331)


def _shifted(q: NDArray[np.int8]) -> NDArray[np.float32]:
    return q.astype(np.float32) - np.float32(22)


def _narrow(q: NDArray[np.int8]) -> NDArray[np.float32]:
    return (q - np.int8(22)).astype(np.float32) * np.float32(0.157433331)


wrong = {
    "the zero point is not subtracted": _scaled,
    "not scaled": _shifted,
    "16.68": _narrow,
}
