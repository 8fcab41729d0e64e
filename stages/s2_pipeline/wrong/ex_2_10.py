from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iree_layers import Target, agree, build, program, run
from stages.s2_pipeline.solutions.ex_2_10 import answer as _good

Array = NDArray[np.float32]


def _last_good(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    found = _good(files, x, w, b, expected)
    names = list(files)
    return names[names.index(found) - 1] if found else None


def _text(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> str | None:
    """Where no numbers are wrong, it blames the text that somebody touched."""
    touched = (name for name, path in files.items() if path.read_text().startswith("// "))
    return _good(files, x, w, b, expected) or next(touched, None)


def _touched(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    """The first text that somebody touched, whether it matters or not."""
    touched = (name for name, path in files.items() if path.read_text().startswith("// "))
    return next(touched, None)


def _last_phase(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    return list(files)[-1]


def _path(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> object:
    found = _good(files, x, w, b, expected)
    return files[found] if found else None


def _none(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> str | None:
    """It compares each module with itself."""
    for phase, path in files.items():
        module = build(path, Target.HOST, compile_from=phase).vmfb
        if not agree(run(module, "mlp", x, w, b), run(module, "mlp", x, w, b)):
            return phase
    return None


def _from_the_start(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    """Each text is compiled as if it were a source program."""
    for phase, path in files.items():
        module = build(program(path.read_text()), Target.HOST).vmfb
        if not agree(run(module, "mlp", x, w, b), expected):
            return phase
    return None


wrong = {
    "you found none": _none,
    "scheduled already": _from_the_start,
    "dispatch-creation: the numbers are still right": _last_good,
    "a comment in a text is no fault": _text,
    "abi: the numbers are still right": _touched,
    "went wrong earlier": _last_phase,
    "the name of a phase": _path,
}
