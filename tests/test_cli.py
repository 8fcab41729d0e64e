"""The command as people type it: its facts, its exit codes, its one paragraph of error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from iree_layers.cli import main
from iree_layers.compile.phases import PHASES

ROOT = Path(__file__).parents[1]
MLP = ROOT / "stages" / "s2_pipeline" / "mlp.mlir"


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], Path]:
    folder = tmp_path_factory.mktemp("cli") / "mlp.layers"
    command = [sys.executable, "-m", "iree_layers.cli", "trace", str(MLP), "--out", str(folder)]
    ran = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return json.loads(ran.stdout), folder


def test_trace_says_what_it_made(traced: tuple[dict[str, object], Path]) -> None:
    facts, folder = traced
    assert facts["unattributed_bytes"] == 0
    assert facts["failed"] == 0
    assert facts["phases"] == 12
    assert str(facts["command"]).startswith("iree-compile mlp.mlir -o mlp.vmfb ")
    layers = facts["layers"]
    assert isinstance(layers, dict)
    assert tuple(layers) == PHASES
    assert sum(row["snapshots"] for row in layers.values()) == facts["snapshots"]
    assert all(0 < row["changed"] <= row["snapshots"] for row in layers.values())
    assert Path(str(facts["vmfb"])).read_bytes()[:2] == b"PK"
    assert Path(str(facts["vmfb"])).parent == folder


def test_the_road_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "out"), "--layer", "input", "--json"]
    assert main(["trace", str(MLP), "--road", "mlir", *out]) == 0
    assert json.loads(capsys.readouterr().out)["road"] == "mlir"
    assert main(["trace", str(MLP), "--road", "tosa", *out]) == 1
    assert "there is no road 'tosa'" in capsys.readouterr().err


def test_the_folder_holds_what_it_says(traced: tuple[dict[str, object], Path]) -> None:
    facts, folder = traced
    assert sorted(path.name for path in folder.iterdir()) == [
        *("command.sh", "files", "mlp.mlir", "mlp.trace", "mlp.vmfb", "phases")
    ]
    assert len(list((folder / "phases").iterdir())) == 12
    assert {path.suffix for path in (folder / "files").iterdir()} >= {".ll", ".s", ".so", ".mlir"}
    phase_files = facts["phase_files"]
    assert isinstance(phase_files, dict)
    assert all(Path(path).is_file() for path in phase_files.values())


def test_open_reads_what_trace_stored(
    traced: tuple[dict[str, object], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    facts, folder = traced
    assert main(["open", str(folder / "mlp.trace"), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    same = ("snapshots", "failed", "noise_bytes", "unattributed_bytes", "layers", "bytes")
    assert {name: again[name] for name in same} == {name: facts[name] for name in same}


def test_open_finds_the_trace_in_its_folder(
    traced: tuple[dict[str, object], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    facts, folder = traced
    assert main(["open", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["snapshots"] == facts["snapshots"]


def test_two_traces_in_a_folder_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.trace", "b.trace"):
        (tmp_path / name).touch()
    assert main(["open", str(tmp_path)]) == 1
    assert "2 traces: a.trace, b.trace" in capsys.readouterr().err


def test_a_trace_is_replaced_and_nothing_else_is(
    traced: tuple[dict[str, object], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, folder = traced
    assert main(["trace", str(MLP), "--out", str(folder), "--layer", "flow"]) == 0
    said = capsys.readouterr().out
    assert "kept in" in said
    assert "replaced an earlier trace" in said
    (tmp_path / "thesis.txt").write_text("mine")
    assert main(["trace", str(MLP), "--out", str(tmp_path)]) == 1
    assert "thesis.txt" in capsys.readouterr().err
    assert (tmp_path / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "grammar", "guessed"),
    [("op-scope.txt", "new", True), ("old-op-scope.txt", "old", True)],
)
def test_open_reads_foreign_dumps(
    name: str, grammar: str, guessed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["open", str(ROOT / "ir_samples" / "dumps" / name), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["snapshots"] > 0, grammar
    assert facts["unattributed_bytes"] == 0
    assert facts["guessed"] is guessed or set(facts["layers"]) == {"unknown"}


def test_open_reads_a_pipe(traced: tuple[dict[str, object], Path]) -> None:
    sample = (ROOT / "ir_samples" / "dumps" / "op-scope.txt").read_bytes()
    ran = subprocess.run(
        [sys.executable, "-m", "iree_layers.cli", "open", "-"], input=sample, capture_output=True
    )
    assert ran.returncode == 0
    assert b"snapshots" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["trace", "nosuch.mlir"], "nosuch.mlir"),
        (["trace", str(MLP), "--target", "vulkn"], "'vulkan'"),
        (["trace", str(MLP), "--layer", "strem"], "'stream'"),
        (["open", str(MLP)], "IR Dump"),
        (["open", "nosuch.txt"], "nosuch.txt"),
    ],
)
def test_errors_are_one_short_paragraph(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("iree-layers: ")
    assert says in err
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 8


def test_a_crash_keeps_what_was_captured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unregistered op in generic form kills iree-compile 3.13.0 in dispatch creation."""
    program = tmp_path / "crash.mlir"
    program.write_text(
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        '  %0 = "foo.bar"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n'
        "  return %0 : tensor<4xf32>\n}\n"
    )
    folder = tmp_path / "kept"
    assert main(["trace", str(program), "--out", str(folder)]) == 1
    err = capsys.readouterr().err
    assert "signal 11" in err
    assert str(folder) in err
    assert main(["open", str(folder / "crash.trace"), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["snapshots"] > 10
    assert facts["unattributed_bytes"] == 0


def test_doctor_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["ok"] is True


def test_a_reader_that_stops_early_gets_no_traceback() -> None:
    command = f"{sys.executable} -m iree_layers.cli open {ROOT}/ir_samples/dumps/op-scope.txt"
    ran = subprocess.run(["sh", "-c", f"{command} | head -1"], capture_output=True, text=True)
    assert "Traceback" not in ran.stderr
    assert "Exception" not in ran.stderr


def test_graph_says_what_is_launched_and_when(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "mlp.html"
    assert main(["graph", str(MLP), "--out", str(drawn)]) == 0
    said = capsys.readouterr().out
    assert "1 dispatch of 1 kernel" in said
    assert "1 command in 1 step" in said
    page = drawn.read_text(encoding="utf-8")
    assert page.count("<svg ") == 2
    assert 'class="dg"' in page
    assert 'class="sc"' in page


def test_graph_of_a_kept_trace_is_that_of_its_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "kept"
    assert main(["trace", str(MLP), "--out", str(folder), "--json"]) == 0
    capsys.readouterr()
    assert main(["graph", str(folder), "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert main(["graph", str(MLP), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == kept
    assert kept["steps"] == [[0]]
    assert kept["dispatches"] == ["mlp_dispatch_0_matmul_4x16x8_f32"]


def test_graph_of_an_unknown_function_names_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["graph", str(MLP), "--function", "nope"]) == 1
    assert "one of mlp" in capsys.readouterr().err


def test_compare_says_where_two_traces_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "cpu", tmp_path / "gpu"
    assert main(["trace", str(MLP), "--out", str(one), "--json"]) == 0
    assert main(["trace", str(MLP), "--out", str(two), "--json", "--target", "vulkan"]) == 0
    capsys.readouterr()
    assert main(["compare", str(one), str(two), "--diff"]) == 0
    said = capsys.readouterr().out
    assert "then iree-hal-assign-target-devices" in said
    assert "hal.device.target" in said or "targetDevices" in said
    assert main(["compare", str(one), str(two), "--json", "--layer", "input"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["equal"] is True
    assert list(facts["layers"]) == ["input"]
    assert main(["compare", str(one), str(two), "--layer", "nope"]) == 1
    assert "one of input, abi" in capsys.readouterr().err
