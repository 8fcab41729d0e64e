from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from iree_layers.compile.build import build
from iree_layers.compile.capture import Capture
from iree_layers.compile.program import Program
from iree_layers.compile.target import Target
from iree_layers.errors import CompileError, ProgramError


def test_a_program_becomes_a_module(mlp: Program) -> None:
    built = build(mlp)
    assert built.vmfb.name == "mlp.vmfb"
    assert built.vmfb.stat().st_size > 1000
    assert "--iree-llvmcpu-target-cpu=host" in str(built.command)
    assert (built.stderr, built.seconds > 0) == ("", True)


def test_a_module_stays_as_long_as_its_path_is_held(mlp: Program) -> None:
    vmfb = build(mlp).vmfb
    assert vmfb.is_file()
    assert pickle.loads(pickle.dumps(vmfb)) == vmfb == Path(vmfb)
    assert repr(vmfb) == repr(Path(vmfb))
    folder = vmfb.parent
    del vmfb
    assert not folder.exists()


def test_a_phase_file_is_resumed_where_its_name_says(mlp_capture: Capture) -> None:
    built = build(mlp_capture.phases["stream"], Target.TEXT)
    assert "--compile-from=stream" in str(built.command)
    assert built.vmfb.read_bytes().find(b"mlp") > 0


def test_ir_of_a_phase_can_be_asked_for(mlp: Program) -> None:
    text = build(mlp, Target.TEXT, compile_to="flow")
    assert text.vmfb.name == "mlp.6.flow.mlir"
    assert b"flow.executable private @mlp_dispatch_0" in text.vmfb.read_bytes()
    code = build(mlp, Target.TEXT, compile_to="flow", bytecode=True)
    assert code.vmfb.read_bytes().startswith(b"ML\xefR")


@pytest.mark.parametrize(
    "text",
    [
        "util.global private @a = dense_resource<__elided__> : tensor<4xf32>\n",
        "util.global private @a = dense_resource<weights> : tensor<4xf32>\n",
    ],
    ids=["elements", "resources"],
)
def test_a_phase_file_with_cut_constants_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.4.global-optimization.mlir"
    path.write_text(text)
    with pytest.raises(ProgramError, match=r"constants were cut out of m\.4\.glob") as caught:
        build(path)
    assert "elide=False" in caught.value.todo


def test_a_phase_that_is_not_there(mlp: Program) -> None:
    with pytest.raises(ProgramError, match="'flows'"):
        build(mlp, compile_to="flows")


def test_an_error_has_the_words_of_the_compiler() -> None:
    with pytest.raises(CompileError, match=r"bad\.mlir:1:1: error:"):
        build(Program("bad", b"nonsense", "mlir"))


def test_a_text_or_a_path_in_words_is_a_program_too(mlp: Program, tmp_path: Path) -> None:
    assert build("func.func @f() { return }").vmfb.name == "program.vmfb"
    path = tmp_path / "mlp.6.flow.mlir"
    path.write_bytes(build(mlp, compile_to="flow").vmfb.read_bytes())
    assert "--compile-from=flow" in str(build(str(path)).command)


@pytest.mark.parametrize("what", [3, "no words of MLIR", Path("nowhere/m.6.flow.mlir")])
def test_what_is_no_program_is_refused_in_words(what: object) -> None:
    with pytest.raises(ProgramError):
        build(what)  # type: ignore[arg-type]
