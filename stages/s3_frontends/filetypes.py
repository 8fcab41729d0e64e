"""A real model: magika, which tells the type of a file from its first and last bytes (ONNX, 3 MB).

The package `magika` ships the model; it is imported by `iree-import-onnx`, compiled by IREE, and
compared with onnxruntime on the same bytes.
"""

from __future__ import annotations

import importlib.util
import json
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iree_layers.compile import Target, build, program
from iree_layers.errors import ToolMissing
from iree_layers.execute import agree, run

__all__ = ["Verdict", "classify", "features", "model"]

_BLOCK, _SIDE, _PAD = 4096, 1024, 256
"bytes read at each end; numbers kept of each; what stands for no byte"


@dataclass(frozen=True)
class Verdict:
    """What the model says of some files, by IREE and by onnxruntime."""

    labels: tuple[str, ...]
    same: bool
    "all scores agree"
    compile_seconds: float
    vmfb_bytes: int
    seconds: float
    "per file, IREE"
    reference_seconds: float
    "per file, onnxruntime"

    def __str__(self) -> str:
        ratio = self.seconds / self.reference_seconds
        return (
            f"{', '.join(self.labels)}; agree with onnxruntime: {self.same}\n"
            f"compiled in {self.compile_seconds:.1f} s, {self.vmfb_bytes / 1e6:.1f} MB; "
            f"{ratio:.1f} times the time of onnxruntime per file"
        )


@cache
def model() -> tuple[Path, tuple[str, ...]]:
    """The ONNX file in the package, and the labels of its 214 scores.

    Raises:
        ToolMissing: magika, onnxruntime or onnx is not installed.
    """
    for package in ("magika", "onnxruntime", "onnx"):
        if importlib.util.find_spec(package) is None:
            raise ToolMissing(f"{package} is not here", todo="pip install 'iree-layers[magika]'")
    spec = importlib.util.find_spec("magika")
    folders = (spec and spec.submodule_search_locations) or []
    (path,) = Path(folders[0]).rglob("model.onnx")
    config = json.loads((path.parent / "config.min.json").read_text(encoding="utf-8"))
    return path, tuple(config["target_labels_space"])


def features(data: bytes) -> NDArray[np.int32]:
    """2048 numbers: the first 1024 bytes and the last 1024, without blanks at the ends, padded."""
    first = data[:_BLOCK].lstrip() if len(data) > _BLOCK else data.strip()
    last = data[-_BLOCK:].rstrip() if len(data) > _BLOCK else data.strip()
    start = list(first[:_SIDE])
    end = list(last[-_SIDE:])
    start += [_PAD] * (_SIDE - len(start))
    end = [_PAD] * (_SIDE - len(end)) + end
    return np.array(start + end, np.int32)


def classify(*files: Path) -> Verdict:
    """Types of some files, by a module that IREE compiled, and by onnxruntime.

    Raises:
        ToolMissing: a package is not installed.
    """
    path, labels = model()
    import onnxruntime

    began = time.perf_counter()
    vmfb = build(program(path, name="magika"), Target.HOST).vmfb
    compiled = time.perf_counter() - began
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    inputs = [features(file.read_bytes())[None] for file in files]
    mine, spent = _timed(lambda x: run(vmfb, "tf2onnx", x), inputs)
    theirs, wanted = _timed(lambda x: session.run(None, {"bytes": x})[0], inputs)
    same = all(agree(a, b, rtol=1e-3, atol=1e-4).ok for a, b in zip(mine, theirs, strict=True))
    found = tuple(labels[int(scores.argmax())] for scores in mine)
    return Verdict(found, same, compiled, vmfb.stat().st_size, spent, wanted)


def _timed(call: Any, inputs: list[Any]) -> tuple[list[Any], float]:
    """Results, and seconds for one input: the first call is not counted."""
    call(inputs[0])
    began = time.perf_counter()
    results = [call(x) for x in inputs]
    return results, (time.perf_counter() - began) / len(inputs)
