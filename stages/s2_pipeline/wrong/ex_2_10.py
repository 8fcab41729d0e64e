from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iree_layers import Target, agree, build, program, run
from iree_layers.errors import LayersError
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


def _first(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> str | None:
    return next(iter(files))


def _swallows(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    """It takes what the compiler refuses for a fault of the phase."""
    for phase, path in files.items():
        try:
            result = run(build(path, Target.HOST).vmfb, "mlp", x, w, b)
        except LayersError:
            return phase
        if not agree(result, expected):
            return phase
    return None


def _wrong_name(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    module = build(files["abi"], Target.HOST, compile_from="abi").vmfb
    return "abi" if not agree(run(module, "main", x, w, b), expected) else None


def _one_phase(
    files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array
) -> str | None:
    """All files are resumed from one phase."""
    for phase, path in files.items():
        if not agree(run(build(path, Target.HOST, compile_from="vm").vmfb, "mlp", x, w, b), b):
            return phase
    return None


def _array(files: Mapping[str, Path], x: Array, w: Array, b: Array, expected: Array) -> object:
    return x @ w + b


wrong = {
    "one set of files has a fault; you found none": _none,
    "be left out of the module": _from_the_start,
    "this set of files has no fault\nbuild(…, compile_from='executable-sources')": _swallows,
    "because of compile_from='vm'": _one_phase,
    "RunError: ": _wrong_name,
    "dispatch-creation: the numbers are still right": _last_good,
    "a comment is no fault": _text,
    "abi: the numbers are still right": _touched,
    "input: the numbers are still right": _first,
    "went wrong earlier": _last_phase,
    "Path: ": _path,
    "ndarray": _array,
}
