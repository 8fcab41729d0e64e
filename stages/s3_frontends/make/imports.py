"""Import both nets by every road that needs an extra, and write them to imported/.

python -m stages.s3_frontends.make.imports     (needs the extras torch-mlir, jax and onnx)

Stored is MLIR bytecode, because weights are half as long in it as in text.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch

from iree_layers.compile import Program, program, run_tool
from stages.s3_frontends.nets import HERE, NETS, example, net, weights

OUT = HERE / "imported"
TORCH_MLIR = ("raw", "linalg", "tosa", "stablehlo")


def stored(source: Program, path: Path) -> None:
    """Write a program as bytecode, without its locations."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.mlir").write_bytes(source.source)
        flags = ("--strip-debuginfo", "--emit-bytecode", "-o", "out.mlirbc")
        run_tool("iree-opt", "in.mlir", *flags, cwd=Path(folder))
        path.write_bytes((Path(folder) / "out.mlirbc").read_bytes())
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def onnx(name: str) -> Program:
    """The net as an ONNX file, then through iree-import-onnx."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / f"{name}.onnx"
        torch.onnx.export(net(name), (example(name),), str(path), dynamo=False)
        return program(path)


def jax(name: str) -> Program:
    """The net written again in JAX, on the same weights."""
    from jax import lax
    from jax import numpy as jnp

    w = {key: jnp.asarray(array) for key, array in weights(name).items()}

    def pooled(x: Any) -> Any:
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

    def convolved(x: Any, layer: str) -> Any:
        y = lax.conv(x, w[f"{layer}.weight"], (1, 1), "SAME")
        return jnp.maximum(y + w[f"{layer}.bias"][:, None, None], 0)

    def mlp(x: Any) -> Any:
        hidden = jnp.maximum(x @ w["fc1.weight"].T + w["fc1.bias"], 0)
        return hidden @ w["fc2.weight"].T + w["fc2.bias"]

    def cnn(x: Any) -> Any:
        x = pooled(convolved(pooled(convolved(x, "conv1")), "conv2")).reshape(len(x), -1)
        return x @ w["fc.weight"].T + w["fc.bias"]

    zeros = np.zeros(tuple(example(name).shape), np.float32)
    return program(mlp if name == "mlp" else cnn, zeros, road="jax")


def main() -> None:
    """Write all of them."""
    OUT.mkdir(exist_ok=True)
    for name in NETS:
        for output in TORCH_MLIR:
            made = program(net(name), example(name), road=f"torch-mlir:{output}")
            stored(made, OUT / f"{name}.torch-mlir-{output}.mlirbc")
        stored(onnx(name), OUT / f"{name}.onnx.mlirbc")
        stored(jax(name), OUT / f"{name}.jax.mlirbc")


if __name__ == "__main__":
    main()
