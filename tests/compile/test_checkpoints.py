"""Every phase of a run can be compiled on, and gives the module that the whole run gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from iree_layers.compile.build import build
from iree_layers.compile.checkpoints import Checkpoints, checkpoints
from iree_layers.compile.phases import PHASES, is_cut
from iree_layers.compile.program import program
from iree_layers.compile.target import Target
from iree_layers.errors import ProgramError

# A constant longer than what a trace keeps: it must be whole here.
TEXT = """
func.func @scale(%x: tensor<32xf32>) -> tensor<32xf32> {
  %c = arith.constant dense<[VALUES]> : tensor<32xf32>
  %0 = arith.mulf %x, %c : tensor<32xf32>
  return %0 : tensor<32xf32>
}
""".replace("VALUES", ", ".join(f"{k}.5" for k in range(32)))


@pytest.fixture(scope="module")
def saved() -> Checkpoints:
    return checkpoints(program(TEXT, name="scale"), Target.HOST)


def test_all_twelve_in_order_and_whole(saved: Checkpoints) -> None:
    assert tuple(saved) == PHASES
    assert not any(is_cut(path.read_bytes()) for path in saved.values())


@pytest.mark.parametrize("phase", ["input", "flow", "executable-targets", "vm"])
def test_a_phase_compiles_on(saved: Checkpoints, phase: str) -> None:
    built = build(saved[phase], Target.HOST, compile_from=phase)
    assert built.vmfb.read_bytes()[:2] == b"PK"


def test_unknown_phase_says_the_nearest(saved: Checkpoints) -> None:
    with pytest.raises(ProgramError, match="'stream'"):
        saved["strem"]


def test_the_folder_can_be_kept(tmp_path: Path) -> None:
    kept = checkpoints(program(TEXT, name="scale"), Target.HOST, folder=tmp_path / "kept")
    assert kept["flow"].parent == tmp_path / "kept" / "phases"
    assert kept.vmfb.is_file()
