from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stages.s2_pipeline.solutions.ex_2_10 import answer as _good

Array = NDArray[np.float32]


def _last_good(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    found = _good(files, x, w, b, expected)
    names = list(files)
    return names[names.index(found) - 1] if found else None


def _text(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> str | None:
    """The first text that somebody touched, whether it matters or not."""
    marks = ("// ", "minimumf")
    return next((n for n, path in files.items() if any(m in path.read_text() for m in marks)), None)


def _last_phase(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    return list(files)[-1]


def _path(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> object:
    found = _good(files, x, w, b, expected)
    return files[found] if found else None


wrong = {
    "still right from there": _last_good,
    "a comment is no fault": _text,
    "went wrong earlier": _last_phase,
    "the name of a phase": _path,
}
