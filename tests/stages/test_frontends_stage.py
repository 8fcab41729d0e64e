"""The shipped imports of stage 3: what they are, that they can be made again, that they agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from iree_layers.compare.census import ops
from iree_layers.execute import agree
from stages.s3_frontends.converge import bodies, dispatches, groups, same
from stages.s3_frontends.failures import FAILURES
from stages.s3_frontends.nets import NETS, net, weights
from stages.s3_frontends.travels import ROADS, held_out, imported, scores, travelled

HERE = Path(__file__).parents[2] / "stages" / "s3_frontends"


def test_shipped_files_are_small_and_all_used() -> None:
    files = [HERE / "weights.npz", *(HERE / "imported").iterdir()]
    assert sum(file.stat().st_size for file in files) < 200_000
    used = {imported(name, road) for name in NETS for road in ROADS if road != "turbine"}
    used |= {imported("cnn_int8", "tflite"), HERE / "imported" / "cnn_int8.tflite"}
    assert set((HERE / "imported").iterdir()) == used


@pytest.mark.parametrize("name", NETS)
def test_the_weights_are_those_of_the_net(name: str) -> None:
    state = net(name).state_dict()
    assert set(state) == set(weights(name))
    assert all(np.array_equal(state[key].numpy(), weights(name)[key]) for key in state)


@pytest.mark.parametrize("road", ["onnx", "jax", "tf", "torch-mlir-tosa"])
def test_a_shipped_import_computes_what_the_net_does(road: str) -> None:
    images, _ = held_out()
    with torch.no_grad():
        wanted = net("cnn")(torch.from_numpy(images).reshape(-1, 1, 8, 8)).numpy()
    assert agree(scores("cnn", road), wanted, rtol=1e-4, atol=1e-4).ok


@pytest.mark.parametrize("output", ["raw", "linalg", "tosa", "stablehlo"])
def test_torch_mlir_still_makes_what_is_shipped(output: str) -> None:
    from iree_layers.compile.frontends import quiet

    with quiet():
        pytest.importorskip("torch_mlir.fx", reason="torch-mlir is not installed")
    from iree_layers.compile import program
    from stages.s3_frontends.nets import example

    again = program(net("mlp"), example("mlp"), road=f"torch-mlir:{output}")
    assert ops(again.text) == ops(travelled("mlp", f"torch-mlir-{output}").text)


def test_jax_still_makes_what_is_shipped() -> None:
    pytest.importorskip("jax", reason="JAX is not installed")
    from stages.s3_frontends.make.imports import jax

    assert ops(jax("mlp").text) == ops(travelled("mlp", "jax").text)


def test_tflite_still_becomes_what_is_shipped() -> None:
    import shutil
    import sys

    if not shutil.which("tosa-converter-for-tflite", path=str(Path(sys.executable).parent)):
        pytest.skip("tosa-converter-for-tflite is not installed")
    from iree_layers.compile import program

    made = program(HERE / "imported" / "cnn_int8.tflite")
    assert made.road == "tflite"
    assert ops(made.text) == ops(travelled("cnn_int8", "tflite").text)


def test_names_and_weights_do_not_part_kernels_and_operands_do() -> None:
    one = bodies("mlp", "turbine")[1]
    assert same(one, one.replace("%cst", "%zero"))
    assert not same(one, one.replace("arith.addf", "arith.subf"))
    assert [len(dispatches(name, "jax")) for name in NETS] == [2, 6]
    found = groups("mlp", 1, ("turbine", "onnx", "tf"))
    assert found == [["turbine", "onnx"], ["tf"]]


@pytest.mark.parametrize("what", FAILURES)
def test_what_should_fail_fails(what: str) -> None:
    from iree_layers.compile import build, program
    from iree_layers.errors import CompileError

    with pytest.raises(CompileError):
        build(program(FAILURES[what], name="f"))


def test_features_of_a_file_are_its_two_ends() -> None:
    from stages.s3_frontends.filetypes import features

    short = features(b"  ab ")
    assert short[:3].tolist() == [97, 98, 256]
    assert short[-3:].tolist() == [256, 97, 98]
    long = features(bytes(range(33, 127)) * 100)
    assert long.shape == (2048,)
    assert long[0] == 33
    assert long[-1] == 126
    assert 256 not in long


def test_real_models_agree_where_they_are_installed() -> None:
    pytest.importorskip("magika", reason="magika is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    from stages.s3_frontends import filetypes

    found = filetypes.classify(HERE / "nets.py", HERE / "weights.npz")
    assert found.labels == ("python", "npz")
    assert found.same
