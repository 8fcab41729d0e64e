from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from iree_layers.compile.target import Target
from iree_layers.errors import RunError
from iree_layers.execute import Device, agree
from iree_layers.execute import run as run_anywhere

Compile = Callable[..., Path]
Run = Callable[..., Any]


@pytest.fixture(params=[True, False], ids=["worker", "here"])
def run(request: pytest.FixtureRequest) -> Run:
    return partial(run_anywhere, isolated=request.param)


def refusal(run: Run, *args: Any, **options: Any) -> str:
    with pytest.raises(RunError) as caught:
        run(*args, **options)
    return str(caught.value)


def test_a_matmul(run: Run, many: Path, x: np.ndarray, w: np.ndarray) -> None:
    for device in ("local-task", "local-sync"):
        result = run(many, "mlp", x, w, device=device)
        assert agree(result, x @ w)
        assert result.flags.writeable


def test_a_result_is_a_copy(run: Run, many: Path, x: np.ndarray, w: np.ndarray) -> None:
    first = run(many, "mlp", x, w)
    kept = first.copy()
    run(many, "mlp", x + 1, w)
    np.testing.assert_array_equal(first, kept)
    # in this process it does not hold on to the device's memory
    assert run_anywhere(many, "mlp", x, w, isolated=False).flags.owndata


def test_a_flipped_bit_never_reaches_the_runtime(run: Run, add: Path) -> None:
    data = bytearray(add.read_bytes())
    data[data.index(b"\x7fELF") + 600] ^= 1
    text = refusal(run, bytes(data), None, np.ones(4, np.float32))
    assert "does not match its checksum" in text


def test_dynamic_sizes(run: Run, many: Path) -> None:
    for rows in (0, 1, 5, 1000):
        value = np.random.default_rng(rows).random((rows, 2), np.float32)
        assert agree(run(many, "double", value), value + value)


def test_several_results_and_none(run: Run, many: Path) -> None:
    twice, large = run(many, "two", np.array([1, 3, 4, 9], np.int32))
    np.testing.assert_array_equal(twice, [2, 6, 8, 18])
    np.testing.assert_array_equal(large, [False, False, True, True])
    assert (twice.dtype, large.dtype) == (np.int32, np.bool_)
    assert run(many, "nothing", 3) == ()


def test_scalars(run: Run, many: Path) -> None:
    found = run(many, "scalars", 2**31 - 1, 1.5, 2**40, -(2**40), True, 0.1)
    assert [one.item() for one in found] == [-2, 3.0, 2**41, -(2**41), True, 0.2]
    assert [one.dtype.name for one in found] == "int32 float32 int64 int64 bool float64".split()
    assert all(one.shape == () for one in found)
    small, other = run(many, "narrow", 100, -3)
    assert (small.item(), small.dtype, other.item(), other.dtype) == (-56, np.int8, -3, np.int16)


def test_arrays_without_dimensions(run: Run, many: Path) -> None:
    for value in (2.5, np.float32(2.5), np.array(2.5, np.float32)):
        result = run(many, "point", value)
        assert isinstance(result, np.ndarray)
        assert (result.shape, result.dtype, result.item()) == ((), np.float32, 5.0)


def test_floats(run: Run, many: Path) -> None:
    value = np.array([0.5, -1.25, np.inf])
    types = (np.float16, ml_dtypes.bfloat16, np.float64)
    found = run(many, "floats", *(value.astype(one) for one in types))
    assert [one.dtype for one in found] == [np.dtype(one) for one in types]
    for one in found:
        np.testing.assert_array_equal(one.astype(np.float64), value * 2)


def test_integers_of_both_signs(run: Run, many: Path) -> None:
    value = np.array([1, -2, 100])
    found = run(many, "integers", *(value.astype(one) for one in "i1 i2 i8".split()))
    np.testing.assert_array_equal(found[0], np.array([2, -4, -56], np.int8))
    np.testing.assert_array_equal(found[2], value * 2)
    unsigned = run(many, "integers", *(abs(value).astype(one) for one in "u1 u2 u8".split()))
    np.testing.assert_array_equal(unsigned[0].view(np.uint8), [2, 4, 200])


def test_odd_types_pass_through(run: Run, many: Path) -> None:
    given = (
        np.array([1 + 2j, -1j], np.complex64),
        np.array([200, 3], np.uint8),
        np.array([0.5, -2], ml_dtypes.float8_e4m3fn),
        np.array([True, False]),
    )
    for sent, got in zip(given, run(many, "odd", *given), strict=True):
        assert got.dtype == sent.dtype
        np.testing.assert_array_equal(got, sent)


def test_empty_arrays_and_plain_buffer_views(run: Run, many: Path) -> None:
    assert run(many, "empty", np.zeros((0, 4), np.float32)).shape == (0, 4)
    given = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(run(many, "view", given), given)


def test_torch_tensors(run: Run, many: Path) -> None:
    torch = pytest.importorskip("torch")
    value = torch.tensor([0.5, -1.25, 3.0])
    found = run(many, "floats", value.half(), value.bfloat16(), value.double())
    assert [one.dtype.name for one in found] == ["float16", "bfloat16", "float64"]
    assert agree(found[1], value.bfloat16() * 2)
    assert ".to(torch.bfloat16)" in refusal(
        run, many, "floats", value.half(), value, value.double()
    )


def test_the_only_function_needs_no_name(run: Run, add: Path) -> None:
    one = np.ones(4, np.float32)
    for source in (add, str(add), add.read_bytes(), SimpleNamespace(vmfb=add)):
        np.testing.assert_array_equal(run(source, None, one), one * 2)


def test_names_of_functions(run: Run, many: Path, x: np.ndarray, w: np.ndarray) -> None:
    text = refusal(run, many, "mpl", x, w)
    assert "no function 'mpl'" in text
    assert "did you mean 'mlp'?" in text
    assert "\n    two(4xi32) -> 4xi32, 4xi1\n" in text
    assert "hidden" not in text
    assert "__init" not in refusal(run, many, "zzzz")
    assert "several functions" in refusal(run, many, None, x, w)
    assert "second argument is a ndarray" in refusal(run, many, x, w)


def test_sizes_are_checked_even_where_the_program_never_reads_them(run: Run, many: Path) -> None:
    assert "?x8xf32" in refusal(run, many, "same", np.zeros((2, 7), np.float32))


def test_types_that_numpy_does_not_have(run: Run, many: Path) -> None:
    assert "tensor<4xi4>" in refusal(run, many, "nibble", np.zeros(4, np.int8))
    assert "result 0 (4xi4)" in refusal(run, many, "nibbles", np.zeros(4, np.int8))


def test_device_names(run: Run, add: Path) -> None:
    one = np.ones(4, np.float32)
    for wrong, right in [("local", "local-task"), ("cpu", "local-task"), ("vulcan", "vulkan")]:
        text = refusal(run, add, None, one, device=wrong)
        assert f"there is no device {wrong!r}" in text
        assert f"did you mean {right!r}?" in text
        assert "cuda, hip, local-sync, local-task, vulkan" in text
    assert "takes no path" in refusal(run, add, None, one, device="local-task://0")
    assert "no device was named" in refusal(run, add, None, one, device=())
    host = Device("local-sync", "", Target.HOST)
    np.testing.assert_array_equal(run(add, None, one, device=host), one * 2)


def test_a_module_for_another_device(run: Run, compiled: Compile) -> None:
    one = np.ones(4, np.float32)
    text = refusal(run, compiled("add", *Target.cuda().flags), None, one)
    assert "compiled for cuda (cuda-nvptx-fb) and run on local-task" in text
    arm = Target.cpu("generic", triple="aarch64-unknown-unknown-eabi-elf").flags
    x86 = Target.cpu("generic").flags
    other = compiled("add", *(x86 if os.uname().machine == "aarch64" else arm))
    assert "another processor" in refusal(run, other, None, one)


def test_a_driver_that_is_missing(run: Run, add: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if Path("/proc/driver/nvidia").exists():
        pytest.skip("this machine has a CUDA driver")
    text = refusal(run, add, None, np.ones(4, np.float32), device="cuda")
    assert "CUDA driver library" in text
    assert "local-sync, local-task" in text


def test_an_out_of_date_module(run: Run, old: Path) -> None:
    text = refusal(run, old, None, np.ones(4, np.float32))
    assert "an older IREE: its bytecode has version 15.0" in text
    assert "expected: bytecode version 17.0" in text


def test_ir_is_no_module(run: Run, add: Path) -> None:
    source = Path(__file__).parent / "data" / "add.mlir"
    for given in (source, source.read_text()):
        assert "no compiled module: MLIR" in refusal(run, given, None, np.ones(4, np.float32))


def test_code_for_printing_is_not_run(add: Path) -> None:
    trace = SimpleNamespace(vmfb=add, target=Target.TEXT)
    assert "build(program)" in refusal(run_anywhere, trace, None, np.ones(4, np.float32))


def test_missing_imports(run: Run, compiled: Compile) -> None:
    assert "a module 'pymath'" in refusal(run, compiled("needy"), None, 3)


def test_inline_execution_models(run: Run, compiled: Compile) -> None:
    flags = ("--iree-hal-target-backends=vmvx-inline", "--iree-execution-model=inline-static")
    text = refusal(run, compiled("add", *flags), None, np.ones(4, np.float32))
    assert "'hal_inline'" in text


def test_async_functions_get_their_fences(run: Run, compiled: Compile) -> None:
    module = compiled("add", *Target.HOST.flags, "--iree-execution-model=async-external")
    one = np.ones(4, np.float32)
    np.testing.assert_array_equal(run(module, "add", one), one * 2)


def test_several_devices(run: Run, compiled: Compile) -> None:
    flags = (
        "--iree-hal-target-device=dev_a=local[0]",
        "--iree-hal-target-device=dev_b=local[1]",
        *Target.HOST.flags[1:],
    )
    pair, one = compiled("pair", *flags), np.ones(4, np.float32)
    result = run(pair, None, one, device=("local-task", "local-sync"))
    np.testing.assert_array_equal(result, one * 4)
    assert "for several devices" in refusal(run, pair, None, one)


def test_weights_from_a_file(
    run: Run, compiled: Compile, weights_file: Callable[..., Path], tmp_path: Path
) -> None:
    module, one = compiled("weights"), np.ones(4, np.float32)
    good = weights_file(w=np.arange(4, dtype=np.float32))
    for given in ({"model": good}, [("model", str(good))]):
        np.testing.assert_array_equal(run(module, None, one, parameters=given), [1, 2, 3, 4])
    assert "parameters={'scope'" in refusal(run, module, None, one)
    assert "scope 'model'" in refusal(run, module, None, one, parameters={"other": good})
    for file, words in [
        (weights_file(v=one), "the parameter 'w'"),
        (weights_file(w=one[:3]), "expected: 16 bytes"),
        (tmp_path / "none.irpa", "there is no parameter file"),
        (Path(__file__), "cannot be read as parameters"),
    ]:
        assert words in refusal(run, module, None, one, parameters={"model": file})
    assert "a scope for each file" in refusal(run, module, None, one, parameters=good)


def test_weights_that_were_written_again_are_read_again(
    run: Run, compiled: Compile, weights_file: Callable[..., Path]
) -> None:
    module, zero = compiled("weights"), np.zeros(4, np.float32)
    first, second = weights_file(w=zero + 1), weights_file(w=zero + 2)
    place = first.with_name("current.irpa")
    place.write_bytes(first.read_bytes())
    np.testing.assert_array_equal(run(module, None, zero, parameters={"model": place}), zero + 1)
    # a new file, as a careful program writes: the old one may still be mapped
    fresh = first.with_name("fresh.irpa")
    fresh.write_bytes(second.read_bytes())
    os.utime(fresh, ns=(1, 1))
    fresh.replace(place)
    np.testing.assert_array_equal(run(module, None, zero, parameters={"model": place}), zero + 2)


def test_vulkan(run: Run, compiled: Compile, vulkan: Target, x: np.ndarray, w: np.ndarray) -> None:
    one = np.arange(4, dtype=np.float32)
    module = compiled("add", *vulkan.flags)
    np.testing.assert_array_equal(run(module, None, one, device="vulkan"), one * 2)
    assert "compiled for vulkan" in refusal(run, module, None, one)
    assert "compiled for local" in refusal(run, compiled("add"), None, one, device="vulkan")


def test_nothing_is_printed_when_the_interpreter_ends(add: Path) -> None:
    code = (
        "import ctypes, sys, numpy as np, iree_layers.execute as e\n"
        "for isolated in (True, False):\n"
        "    print(e.run(sys.argv[1], None, np.ones(4, np.float32), isolated=isolated))\n"
        "    try:\n"
        "        e.run(sys.argv[1], 'nope', isolated=isolated)\n"
        "    except Exception as error:\n"
        "        # the frames of its traceback hold the loaded module, and it is never released\n"
        "        ctypes.pythonapi.Py_IncRef(ctypes.py_object(error))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(add)], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "[2. 2. 2. 2.]\n" * 2
