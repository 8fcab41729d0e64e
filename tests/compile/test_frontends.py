"""PyTorch through iree-turbine: exported for real, compiled and run where it matters."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iree_layers.compile.program import Program, program
from iree_layers.compile.target import Target
from iree_layers.compile.toolchain import run_tool
from iree_layers.errors import ProgramError, ToolMissing

torch = pytest.importorskip("torch", reason="pip install torch==2.13.0")
pytest.importorskip("iree.turbine", reason="pip install 'iree-layers[torch]'")


class TinyMLP(torch.nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 3)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x: Any) -> Any:
        return self.drop(self.layer(x)).relu()


class Count(torch.nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(3))
        self.example_inputs = torch.ones(3)

    def forward(self, x: Any) -> Any:
        self.total.add_(x)
        return self.total + 0


@pytest.fixture(scope="module")
def tiny() -> Program:
    return program(TinyMLP(), torch.zeros(2, 4))


def exports(found: Program, folder: Path) -> str:
    (folder / found.file_name).write_bytes(found.source)
    argv = (found.file_name, "-o", "out.vmfb", *found.flags, *Target.HOST.flags)
    run_tool("iree-compile", *argv, cwd=folder)
    return run_tool("iree-dump-module", "--output=metadata", "out.vmfb", cwd=folder).stdout


def test_module_with_inputs(tiny: Program) -> None:
    assert (tiny.name, tiny.road, tiny.commands) == ("tiny_mlp", "torch", ())
    assert "module @tiny_mlp" in tiny.text
    assert "func.func @main(%arg0: !torch.vtensor<[2,4],f32>)" in tiny.text
    assert "dropout" not in tiny.text


def test_no_async_twin(tiny: Program, tmp_path: Path) -> None:
    shown = exports(tiny, tmp_path)
    assert "sync func @main" in shown
    assert "async" not in shown


def test_flag_is_what_removes_the_twin(tiny: Program, tmp_path: Path) -> None:
    twin = Program(tiny.name, tiny.source, tiny.road)
    assert "main$async" in exports(twin, tmp_path)


def test_same_module_same_bytes() -> None:
    module = TinyMLP()
    assert program(module, torch.zeros(2, 4)) == program(module, torch.ones(2, 4))


def test_training_mode_is_left_alone() -> None:
    module = TinyMLP()
    module.layer.eval()
    program(module, torch.zeros(2, 4))
    assert (module.training, module.layer.training, module.drop.training) == (True, False, True)


def test_numpy_inputs_and_entry() -> None:
    found = program(TinyMLP(), np.zeros((5, 4), np.float32), entry="classify", name="x")
    assert "func.func @classify(%arg0: !torch.vtensor<[5,4],f32>)" in found.text
    assert found.name == "x"


@pytest.mark.parametrize("key", ["x", 0])
def test_dynamic_dims(key: str | int) -> None:
    found = program(TinyMLP(), torch.zeros(2, 4), dynamic={key: {0: "batch"}})
    assert "!torch.vtensor<[?,4],f32>" in found.text


def test_state_runs_in_the_sync_only_form(tmp_path: Path) -> None:
    found = program(Count())
    assert found.name == "count"
    exports(found, tmp_path)
    call = ("--module=out.vmfb", "--device=local-sync", "--function=main", "--input=3xf32=2")
    run_tool("iree-run-module", *call, "--expected_output=3xf32=2", cwd=tmp_path)


def test_exported_program_and_turbine_output() -> None:
    import iree.turbine.aot as aot

    from iree_layers.compile.frontends import quiet

    module = TinyMLP().eval()
    with quiet():
        exported = torch.export.export(module, (torch.zeros(2, 4),))
        output = aot.export(module, args=(torch.zeros(2, 4),), module_name="made")
    assert program(exported).name == "exported"
    assert program(output).name == "made"
    for x in (exported, output):
        with pytest.raises(ProgramError, match="fixed"):
            program(x, torch.zeros(2, 4))


def test_python_file_with_a_module(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(
        "import torch\n"
        "class Net(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return x + 1\n"
        "def pair():\n"
        "    return Net(), torch.zeros(3)\n"
        "net = Net()\n"
        "net.example_inputs = (torch.zeros(2),)\n"
    )
    assert "vtensor<[3],f32>" in program(f"{path}:pair").text
    assert "vtensor<[2],f32>" in program(f"{path}:net").text
    assert "vtensor<[5],f32>" in program(f"{path}:net", torch.zeros(5)).text
    with pytest.raises(ProgramError, match="Net needs example inputs for x"):
        program(f"{path}:Net")


def test_refused_exports_say_why() -> None:
    with pytest.raises(ProgramError, match=r"(?s)needs example inputs for x.*example_inputs"):
        program(TinyMLP())
    with pytest.raises(ProgramError, match=r"(?s)cannot export TinyMLP.*2 or more"):
        program(TinyMLP(), torch.zeros(1, 4), dynamic={"x": {0: "batch"}})
    with pytest.raises(ProgramError, match=r"(?s)cannot read 'y'.*argument of forward \(x\)"):
        program(TinyMLP(), torch.zeros(2, 4), dynamic={"y": {0: "batch"}})
    with pytest.raises(ProgramError, match="cannot read 'x': 0"):
        program(TinyMLP(), torch.zeros(2, 4), dynamic={"x": 0})
    with pytest.raises(ProgramError, match="cannot export TinyMLP"):
        program(TinyMLP(), torch.zeros(2, 5))


def test_refused_export_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ProgramError):
        program(TinyMLP(), torch.zeros(1, 4), dynamic={"x": {0: "batch"}})
    assert capfd.readouterr() == ("", "")


def test_without_turbine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "iree.turbine.aot", None)
    with pytest.raises(ToolMissing, match=r"iree-layers\[torch\]"):
        program(TinyMLP(), torch.zeros(2, 4))
