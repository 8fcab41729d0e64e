from pathlib import Path

import numpy as np

from iree_layers import run


def _double(vmfb: Path, numbers: list[float]) -> object:
    return float(run(vmfb, "axpb", np.array(numbers)).max())


def _all(vmfb: Path, numbers: list[float]) -> object:
    return run(vmfb, "axpb", np.array(numbers, dtype=np.float32))


def _smallest(vmfb: Path, numbers: list[float]) -> object:
    return float(run(vmfb, "axpb", np.array(numbers, dtype=np.float32)).min())


def _text(vmfb: Path, numbers: list[float]) -> object:
    return "19.0"


def _numpy(vmfb: Path, numbers: list[float]) -> object:
    return float(max(2 * number + 1 for number in numbers))


wrong = {
    "4xf64": _double,
    "one number": _all,
    "largest": _smallest,
    "a float": _text,
    "another module": _numpy,
}
