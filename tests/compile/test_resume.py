"""IR that is compiled from the wrong place is refused, or computes the right numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from iree_layers.compile.build import build
from iree_layers.compile.capture import capture
from iree_layers.compile.checkpoints import Checkpoints, checkpoints
from iree_layers.compile.phases import PHASES
from iree_layers.compile.program import Program, program
from iree_layers.compile.resume import SOURCE, check_start, doubt, looks_like, resumes_after
from iree_layers.compile.target import Target
from iree_layers.errors import CompileError, ProgramError
from iree_layers.execute.run import run

LOST = ("stream", "executable-sources", "executable-configurations", "executable-targets")


@pytest.fixture(scope="module")
def text(mlp: Program) -> Checkpoints:
    return checkpoints(mlp, Target.HOST)


def is_right(vmfb: Path, seed: int) -> bool:
    """Inputs of its own each time: what is left in memory of another run must not pass."""
    make = np.random.default_rng(seed)
    x, w, b = (make.standard_normal(s).astype(np.float32) for s in ((4, 8), (8, 16), (16,)))
    got = run(vmfb, "mlp", x, w, b, device="local-task")
    return bool(np.allclose(got, np.maximum(x @ w + b, 0), atol=1e-4))


@pytest.mark.parametrize("bytecode", [False, True])
@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_under_another_name(
    mlp: Program, text: Checkpoints, tmp_path: Path, phase: str, bytecode: bool
) -> None:
    path = tmp_path / "x.mlir"
    made = build(mlp, compile_to=phase, bytecode=True).vmfb if bytecode else text[phase]
    path.write_bytes(made.read_bytes())
    seed = 2 * PHASES.index(phase) + bytecode
    if phase not in LOST:
        assert is_right(build(path).vmfb, seed)
        return
    with pytest.raises(ProgramError, match="left out of the module") as caught:
        build(path)
    assert f"compile_from='{phase}'" in caught.value.todo
    assert is_right(build(path, compile_from=phase).vmfb, seed)


@pytest.mark.parametrize("phase", LOST)
def test_no_phase_before_stream_takes_it_either(text: Checkpoints, phase: str) -> None:
    with pytest.raises(ProgramError, match="compiled after flow"):
        build(text[phase], compile_from="flow")
    for start in ("stream", "vm"):
        check_start("x", text[phase].read_bytes(), start)


def test_a_trace_and_checkpoints_of_it_are_refused_too(text: Checkpoints) -> None:
    late = program(text["executable-sources"].read_bytes())
    for tried in (capture, checkpoints):
        with pytest.raises(ProgramError, match="left out of the module"):
            tried(late)


@pytest.mark.parametrize("target", [Target.vmvx(), Target.metal(), Target.cuda()])
@pytest.mark.parametrize("bytecode", [False, True])
@pytest.mark.parametrize("phase", LOST)
def test_the_phase_is_told_on_every_target(
    mlp: Program, target: Target, phase: str, bytecode: bool
) -> None:
    found = build(mlp, target, compile_to=phase, bytecode=bytecode).vmfb.read_bytes()
    assert resumes_after(found) == phase


@pytest.mark.parametrize(
    ("source", "phase"),
    [
        (b"func.func @f() { return }", None),
        (b"flow.executable private @e {", None),
        (b"// about stream.cmdx.execute", None),
        (b"return // becomes stream.cmd.execute", None),
        (b'%0 = util.null {note = "a // b", see = "stream.cmd.execute"} : i32', None),
        (b"util.func @stream.cmd.execute()", None),
        (b'%u = "a.b"() {c = "//"} : () -> i32 stream.cmd.execute', "stream"),
        (b'"stream.cmd.execute"() ({', "stream"),
        (b"%3 = stream.cmd.execute await(%t) => with(", "stream"),
        (b"hal.executable.variant public @v { stream.cmd.dispatch @e", "executable-sources"),
    ],
)
def test_only_the_op_counts_and_not_the_word(source: bytes, phase: str | None) -> None:
    assert resumes_after(source) == phase


# What people write by hand, in the dialects of the phases.
LEGAL = {
    "abi": """
util.func public @f(%v: !hal.buffer_view) -> !hal.buffer_view {
  %x = hal.tensor.import %v : !hal.buffer_view -> tensor<4xf32>
  %y = arith.addf %x, %x : tensor<4xf32>
  %r = hal.tensor.export %y : tensor<4xf32> -> !hal.buffer_view
  util.return %r : !hal.buffer_view
}
""",
    "regions": """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = flow.dispatch.region -> (tensor<4xf32>) {
    %z = arith.addf %x, %x : tensor<4xf32>
    flow.return %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
""",
}


@pytest.mark.parametrize("name", LEGAL)
def test_an_ordinary_program_may_use_any_dialect(name: str) -> None:
    vmfb = build(program(LEGAL[name], name=name)).vmfb
    x = np.arange(4, dtype=np.float32)
    assert np.array_equal(run(vmfb, "f", x, device="local-task"), x + x)


def test_what_ir_looks_like(mlp: Program, text: Checkpoints) -> None:
    assert looks_like(mlp.source) == (SOURCE,)
    for phase in PHASES:
        assert phase in looks_like(text[phase].read_bytes())
    assert looks_like(build(mlp, compile_to="flow", bytecode=True).vmfb.read_bytes()) == ()


def test_a_program_that_is_no_phase_is_named(mlp: Program) -> None:
    with pytest.raises(CompileError) as caught:
        build(mlp, compile_from="flow")
    assert "at the end of flow" in caught.value.expected
    assert "looks like a source program" in caught.value.todo


def test_another_phase_is_named(text: Checkpoints) -> None:
    with pytest.raises(CompileError) as caught:
        build(text["abi"], compile_from="stream")
    assert "compile_from='abi'" in caught.value.todo
    assert doubt(text["flow"].read_bytes(), "flow") == ("", "")
