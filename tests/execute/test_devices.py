from __future__ import annotations

import numpy as np
import pytest

from iree_layers.compile.smoke import smoke
from iree_layers.compile.target import Target
from iree_layers.compile.toolchain import run_tool
from iree_layers.execute import device_line, devices, run


def test_the_local_devices_always_work_and_come_first() -> None:
    found = devices()
    assert [one.name for one in found[:2]] == ["local-task", "local-sync"]
    assert [one.target for one in found[:2]] == [Target.HOST, Target.HOST]


def test_each_device_runs_what_its_target_compiles(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("each")
    (folder / "f.mlir").write_text(
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %r = arith.mulf %x, %x : tensor<4xf32>\n  return %r : tensor<4xf32>\n}\n"
    )
    x = np.arange(4, dtype=np.float32)
    for one in devices():
        run_tool("iree-compile", "f.mlir", "-o", "f.vmfb", *one.target.flags, cwd=folder)
        np.testing.assert_array_equal(run(folder / "f.vmfb", "f", x, device=one), x * x)
        assert one.description
        assert str(one).startswith(f"{one.name}: ")


def test_says_why_not() -> None:
    assert device_line("local-task").startswith("local-task works here: ")
    line = device_line("nope")
    assert line.startswith("nope does not work here: ")
    assert "\n" not in line
    vulkan = device_line("vulkan")
    assert ("works here" in vulkan) == smoke("vulkan").works
    assert len(vulkan) > len("vulkan does not work here: ")
