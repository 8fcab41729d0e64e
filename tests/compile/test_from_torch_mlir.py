"""torch-mlir: one module in five dialects, all of which the compiler takes and runs alike."""

from __future__ import annotations

import pytest
import torch

from iree_layers.compile.build import build
from iree_layers.compile.from_torch_mlir import OUTPUTS
from iree_layers.compile.frontends import quiet
from iree_layers.compile.program import program
from iree_layers.errors import ProgramError, ToolMissing
from iree_layers.execute import agree, run

with quiet():
    pytest.importorskip("torch_mlir.fx", reason="torch-mlir is not installed")

OP = {
    "torch": "torch.aten.mm",
    "raw": "torch.aten.linear",
    "linalg": "linalg.matmul",
    "tosa": "tosa.matmul",
    "stablehlo": "stablehlo.dot_general",
}


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first = torch.nn.Linear(8, 4)
        self.drop = torch.nn.Dropout()
        self.last = torch.nn.Linear(4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.drop(torch.relu(self.first(x))))


@pytest.mark.parametrize("output", OUTPUTS)
def test_every_output_computes_the_same(output: str) -> None:
    net, x = Net(), torch.randn(2, 8)
    made = program(net, x, road=f"torch-mlir:{output}")
    assert made.road == f"torch-mlir:{output}"
    assert OP[output] in made.text
    assert net.training
    assert "export_and_import(net, *inputs" in made.commands[0]
    wanted = net.eval()(x).detach().numpy()
    assert agree(run(build(made).vmfb, "main", x), wanted).ok


def test_the_road_alone_is_the_torch_dialect() -> None:
    assert program(Net(), torch.zeros(2, 8), road="torch-mlir").road == "torch-mlir:torch"


def test_a_dim_may_vary() -> None:
    net = Net()
    made = program(net, torch.zeros(3, 8), road="torch-mlir:linalg", dynamic={"x": {0: "batch"}})
    vmfb = build(made).vmfb
    for rows in (1, 5):
        x = torch.randn(rows, 8)
        assert agree(run(vmfb, "main", x), net.eval()(x).detach().numpy()).ok


def test_what_it_refuses_is_said_with_its_words() -> None:
    class Choice(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cond(x.sum() > 0, lambda v: v + 1, lambda v: v - 1, (x,))

    with pytest.raises(ProgramError, match="torch-mlir cannot make tosa of Choice") as caught:
        program(Choice(), torch.zeros(3), road="torch-mlir:tosa")
    assert "cond" in caught.value.found


def test_without_it_the_pip_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch_mlir", None)
    with pytest.raises(ToolMissing) as caught:
        program(Net(), torch.zeros(2, 8), road="torch-mlir:tosa")
    assert "iree-layers[torch-mlir]" in caught.value.todo
