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


def _no_return(vmfb: Path, numbers: list[float]) -> None:
    run(vmfb, "axpb", np.array(numbers, dtype=np.float32)).max()


def _first(vmfb: Path, numbers: list[float]) -> object:
    return run(vmfb, "axpb", np.array(numbers, dtype=np.float32))[0]


def _own_file(vmfb: Path, numbers: list[float]) -> object:
    return run(Path("axpb.vmfb.of.mine"), "axpb", np.array(numbers, dtype=np.float32)).max()


def _one_argument(vmfb: Path) -> object:
    return vmfb


wrong = {
    "it returns None": _no_return,
    "3.0": _first,
    "axpb.vmfb.of.mine": _own_file,
    "its arguments": _one_argument,
    "4xf64": _double,
    "one number": _all,
    "-39.0": _smallest,
    "str": _text,
    "another module": _numpy,
}
