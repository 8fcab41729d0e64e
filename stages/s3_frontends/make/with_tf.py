"""The roads that need TensorFlow: python stages/s3_frontends/make/with_tf.py, in a venv of its own.

It needs tensorflow-cpu 2.21, iree-tools-tf, iree-base-compiler, tosa-converter-for-tflite and
scikit-learn, and nothing of this project. Images are (batch, 8, 8, 1) here: TensorFlow has the
channels last.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

HERE = Path(__file__).parents[1]
OUT = HERE / "imported"
BIN = Path(sys.executable).parent


def weights(name: str) -> dict[str, Any]:
    """Weights by PyTorch's names, turned round to TensorFlow's order of dimensions."""
    with np.load(HERE / "weights.npz") as stored:
        found = {k.partition("/")[2]: stored[k] for k in stored if k.startswith(f"{name}/")}
    turned = {k: v.transpose(2, 3, 1, 0) if v.ndim == 4 else v.T for k, v in found.items()}
    if name == "cnn":  # the last layer reads 16 channels of 2x2, which are in another order here
        fc = found["fc.weight"].reshape(10, 16, 2, 2).transpose(2, 3, 1, 0).reshape(64, 10)
        turned["fc.weight"] = fc
    return turned


def apply(name: str, w: dict[str, Any], x: Any) -> Any:
    """Either net, written with TensorFlow's ops."""
    if name == "mlp":
        return tf.nn.relu(x @ w["fc1.weight"] + w["fc1.bias"]) @ w["fc2.weight"] + w["fc2.bias"]
    for layer in ("conv1", "conv2"):
        x = tf.nn.relu(tf.nn.conv2d(x, w[f"{layer}.weight"], 1, "SAME") + w[f"{layer}.bias"])
        x = tf.nn.max_pool2d(x, 2, 2, "VALID")
    return tf.reshape(x, (4, 64)) @ w["fc.weight"] + w["fc.bias"]


class Net(tf.Module):
    """A SavedModel with one function, of a fixed batch: a dynamic one crashes the compiler."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.net = name
        self.w = {k.replace(".", "_"): tf.Variable(v) for k, v in weights(name).items()}

    def run(self, x: Any) -> Any:
        """Scores of a batch."""
        return apply(self.net, {k.replace("_", "."): v for k, v in self.w.items()}, x)


def shape(name: str) -> tuple[int, ...]:
    """Of the input."""
    return (4, 64) if name == "mlp" else (4, 8, 8, 1)


def small(source: Path, out: Path) -> None:
    """The same program without locations."""
    tool = str(BIN / "iree-opt")
    command = [tool, str(source), "--strip-debuginfo", "--emit-bytecode", "-o", str(out)]
    subprocess.run(command, check=True)
    print(f"{out.name}: {out.stat().st_size:,} bytes")


def saved_model(name: str, folder: Path) -> None:
    """SavedModel → StableHLO."""
    net = Net(name)
    spec = tf.TensorSpec(shape(name), tf.float32)
    main = tf.function(net.run, input_signature=[spec])
    net.main = main
    tf.saved_model.save(net, str(folder / name))
    flags = ["--tf-savedmodel-exported-names=main", "-o", str(folder / f"{name}.mlirbc")]
    subprocess.run([str(BIN / "iree-import-tf"), str(folder / name), *flags], check=True)
    small(folder / f"{name}.mlirbc", OUT / f"{name}.tf.mlirbc")


def digits() -> Iterator[list[Any]]:
    """Images to calibrate with."""
    images = (load_digits().images / 16).astype(np.float32)
    for k in range(0, 400, 4):
        yield [images[k : k + 4].reshape(4, 8, 8, 1)]


def tflite(name: str, folder: Path, *, int8: bool = False) -> None:
    """TFLite → TOSA."""
    w = weights(name)
    wanted = tf.function(
        lambda x: apply(name, {k: tf.constant(v) for k, v in w.items()}, x),
        input_signature=[tf.TensorSpec(shape(name), tf.float32)],
    )
    converter = tf.lite.TFLiteConverter.from_concrete_functions([wanted.get_concrete_function()])
    if int8:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = digits
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    stem = f"{name}_int8" if int8 else name
    (folder / f"{stem}.tflite").write_bytes(converter.convert())
    if int8:
        (OUT / f"{stem}.tflite").write_bytes((folder / f"{stem}.tflite").read_bytes())
    tool = str(BIN / "tosa-converter-for-tflite")
    made = str(folder / f"{stem}.mlirbc")
    subprocess.run([tool, str(folder / f"{stem}.tflite"), "--bytecode", "-o", made], check=True)
    small(Path(made), OUT / f"{stem}.tflite.mlirbc")


def main() -> None:
    """Write all of them."""
    with tempfile.TemporaryDirectory() as name:
        for net in ("mlp", "cnn"):
            saved_model(net, Path(name))
            tflite(net, Path(name))
        tflite("cnn", Path(name), int8=True)


if __name__ == "__main__":
    main()
