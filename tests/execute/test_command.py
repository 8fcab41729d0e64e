from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from iree_layers.compile.toolchain import Command, tool
from iree_layers.errors import RunError
from iree_layers.execute import run, run_command

Compile = Callable[..., Path]

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="no shell here")


def pasted(command: Command, tmp_path: Path) -> list[str]:
    """The results that the line prints when a shell runs it."""
    folder = tmp_path / "elsewhere"
    folder.mkdir(exist_ok=True)
    path = os.pathsep.join([str(tool("iree-run-module").parent), os.environ["PATH"]])
    ran = subprocess.run(
        ["sh", "-c", str(command)],
        cwd=command.cwd or folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    # `EXEC @add`, `result[0]: hal.buffer_view`, `4xf32=2 4 6 8`; `result[0]: i32=6`
    lines = [line.partition(": ")[2] or line for line in ran.stdout.splitlines()[1:]]
    return [line for line in lines if line != "hal.buffer_view"]


def numbers(line: str) -> list[float]:
    return [
        float(one) for one in line.partition("=")[2].replace("[", " ").replace("]", " ").split()
    ]


def test_the_same_numbers(many: Path, tmp_path: Path, x: np.ndarray, w: np.ndarray) -> None:
    command = run_command(many, "mlp", x, w)
    assert command.argv[0] == "iree-run-module"
    assert command.cwd is None
    (line,) = pasted(command, tmp_path)
    assert line.startswith("4x16xf32=")
    np.testing.assert_array_equal(numbers(line), run(many, "mlp", x, w).ravel())


def test_in_a_folder_of_ones_own_with_bare_names(
    many: Path, tmp_path: Path, x: np.ndarray, w: np.ndarray
) -> None:
    folder = tmp_path / "my files"
    command = run_command(many.read_bytes(), "mlp", x, w, folder=folder)
    assert str(command) == (
        "iree-run-module --device=local-task --module=module.vmfb --function=mlp "
        "--input=@input0.npy --input=@input1.npy"
    )
    assert sorted(one.name for one in folder.iterdir()) == [
        "input0.npy",
        "input1.npy",
        "module.vmfb",
    ]
    (line,) = pasted(command, tmp_path)
    np.testing.assert_array_equal(numbers(line), run(many, "mlp", x, w).ravel())


def test_small_values_stand_in_the_line(many: Path, add: Path, tmp_path: Path) -> None:
    value = np.array([0.1, -2.5, 1e-7, 3], np.float32)
    command = run_command(add, None, value)
    assert "'--input=4xf32=0.1 -2.5 1e-07 3.0'" in str(command)
    assert numbers(pasted(command, tmp_path)[0]) == pytest.approx(list(value * 2), rel=1e-5)
    splat = run_command(many, "mlp", np.full((4, 8), 0.5, "f4"), np.ones((8, 16), "f4"))
    assert splat.argv[-2:] == ("--input=4x8xf32=0.5", "--input=8x16xf32=1.0")
    assert numbers(pasted(splat, tmp_path)[0]) == [4.0] * 64


def test_scalars(many: Path, tmp_path: Path) -> None:
    given = (-3, 1.5, 2**40, -(2**40), True, 0.25)
    lines = pasted(run_command(many, "scalars", *given), tmp_path)
    found = [one.item() for one in run(many, "scalars", *given)]
    assert [numbers(line)[0] for line in lines] == found
    assert run_command(many, "point", 2).argv[-1] == "--input=f32=2.0"
    assert numbers(pasted(run_command(many, "point", 2), tmp_path)[0]) == [4.0]


def test_every_dtype(many: Path, tmp_path: Path) -> None:
    floats = [np.array([0.5, -1.25, 3]).astype(t) for t in ("f2", ml_dtypes.bfloat16, "f8")]
    for line in pasted(run_command(many, "floats", *floats), tmp_path):
        assert numbers(line) == [1.0, -2.5, 6.0]
    whole = [np.array([1, -2, 30]).astype(t) for t in ("i1", "i2", "i8")]
    for line in pasted(run_command(many, "integers", *whole), tmp_path):
        assert numbers(line) == [2, -4, 60]
    odd = (
        np.array([1 + 2j, -1j], np.complex64),
        np.array([200, 3], np.uint8),
        np.array([0.5, -2], ml_dtypes.float8_e4m3fn),
        np.array([True, False]),
    )
    lines = pasted(run_command(many, "odd", *odd), tmp_path)
    assert numbers(lines[1]) == [200, 3]
    assert len(lines) == 4
    special = np.array([[np.nan, -np.inf]], np.float32)
    assert "NAN -INF" in pasted(run_command(many, "double", special), tmp_path)[0].upper()
    assert pasted(run_command(many, "empty", np.zeros((0, 4), "f4")), tmp_path) == ["0x4xf32="]


def test_minus_zero_is_not_zero(many: Path) -> None:
    mixed = run_command(many, "double", np.array([[0.0, -0.0]], np.float32))
    assert mixed.argv[-1] == "--input=1x2xf32=0.0 -0.0"


def test_weights_and_devices(
    compiled: Compile, weights_file: Callable[..., Path], tmp_path: Path
) -> None:
    file = weights_file(w=np.arange(4, dtype=np.float32))
    one = np.ones(4, np.float32)
    command = run_command(
        compiled("weights"), None, one, parameters={"model": file}, device="local-sync"
    )
    assert "--device=local-sync" in command.argv
    assert numbers(pasted(command, tmp_path)[0]) == [1, 2, 3, 4]


def test_refuses_what_run_refuses(many: Path) -> None:
    with pytest.raises(RunError, match="argument 0 of mlp"):
        run_command(many, "mlp", np.zeros(3), np.zeros(3))
    with pytest.raises(RunError, match="no function 'mpl'"):
        run_command(many, "mpl")


def test_the_original_file_is_named_when_it_lies_there(add: Path) -> None:
    command = run_command(add, None, np.ones(4, np.float32), folder=add.parent)
    assert "--module=add.vmfb" in command.argv
