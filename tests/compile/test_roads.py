"""Which front end takes what, and what is said where none does."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from iree_layers.compile.build import build
from iree_layers.compile.program import program
from iree_layers.compile.roads import ROADS
from iree_layers.errors import CompileError, ProgramError, ToolMissing

TEXT = "func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}\n"


class Double(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + x


def test_the_first_road_that_takes_it() -> None:
    assert program(TEXT).road == "mlir"
    assert program(Double(), torch.zeros(4)).road == "torch"
    assert program(Double(), torch.zeros(4), road="torch").road == "torch"
    assert program(TEXT, road="mlir").source == TEXT.encode()


@pytest.mark.parametrize("road", ["torch-mlir:toza", "pytorch", ""])
def test_a_road_that_is_not_there_names_the_nearest(road: str) -> None:
    with pytest.raises(ProgramError, match="there is no road") as caught:
        program(TEXT, road=road)
    assert "torch-mlir:tosa" in caught.value.expected


def test_a_road_that_does_not_lead_from_there() -> None:
    with pytest.raises(ProgramError, match="does not lead from a str"):
        program(TEXT, road="onnx")
    with pytest.raises(ProgramError, match="does not lead from a torch module"):
        program(Double(), torch.zeros(4), road="tflite")


def test_errors_of_a_torch_module_name_its_line() -> None:
    class Spectrum(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.fft.fft(x).real

    made = program(Spectrum(), torch.zeros(8))
    assert f'loc("{__file__}":'.encode() in made.source
    assert "loc(" not in made.text
    with pytest.raises(CompileError, match="note: called from"):
        build(made)


def test_an_older_onnx_file_is_brought_up(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
    make = onnx.helper
    shapes = {"x": [4], "y": [1, 4]}
    value = {
        k: make.make_tensor_value_info(k, onnx.TensorProto.FLOAT, v) for k, v in shapes.items()
    }
    node = make.make_node("Unsqueeze", ["x"], ["y"], axes=[0])
    graph = make.make_graph([node], "g", [value["x"]], [value["y"]])
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 11)], ir_version=8)
    onnx.save(model, tmp_path / "old.onnx")
    with pytest.raises(CompileError) as caught:
        build(program(tmp_path / "old.onnx"))
    assert "road='onnx:17'" in caught.value.todo
    new = program(tmp_path / "old.onnx", road="onnx:17")
    assert new.road == "onnx:17"
    assert "--opset-version=17" in new.commands[0]
    assert build(new).vmfb.stat().st_size > 1000
    with pytest.raises(ProgramError, match="there is no road"):
        program(tmp_path / "old.onnx", road="onnx:0")


def test_every_road_has_its_own_name() -> None:
    assert len(set(ROADS)) == len(ROADS)


@pytest.mark.parametrize("name", ["net.tflite", "saved"])
def test_without_its_tool_a_road_names_the_pip_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    (tmp_path / "net.tflite").write_bytes(b"\x1c\0\0\0TFL3")
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "saved_model.pb").touch()
    with pytest.raises(ToolMissing) as caught:
        program(tmp_path / name)
    assert "pip install 'iree-layers[" in caught.value.todo
    assert str(tmp_path / name) in caught.value.command
