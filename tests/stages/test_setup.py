"""Stage 0's own helpers: calls by function, and messages of the runtime, link by link."""

from __future__ import annotations

from pathlib import Path

from iree_layers import Target, build, program, run_tool
from iree_layers.learn import predict, stage
from stages.s0_setup.look import calls, message

ROOT = Path(__file__).parents[2]
AXPB = ROOT / "stages" / "s0_setup" / "axpb.mlir"


def test_launches_are_recorded_at_load_and_submitted_at_each_call() -> None:
    for name, function, launches in (("axpb", "axpb", 1), ("two_matmuls", "main", 3)):
        source = AXPB if name == "axpb" else ROOT / "ir_samples" / f"{name}.mlir"
        found = calls(build(program(source), Target.TEXT).vmfb)
        assert list(found) == ["(recording)", function, "__init"]
        assert found["(recording)"].count("hal.command_buffer.dispatch") == launches
        assert found[function].count("hal.device.queue.execute.indirect") == 1
        assert found["__init"][-1] == "(recording)"


def test_a_message_is_a_line_for_each_link() -> None:
    built = build(program(AXPB), Target.HOST)
    words = ["iree-run-module", "--module=axpb.vmfb", "--function=axpb", "--input=4xf64=1 2 3 4"]
    said = message(run_tool(*words, cwd=built.vmfb.parent, check=False)).splitlines()
    assert said[0].endswith(": INVALID_ARGUMENT")
    assert said[1] == "  input0 element type mismatch"
    assert "  while invoking native function hal.buffer_view.assert" in said
    assert "  invoking function 'axpb'" in said


def test_a_long_link_is_cut_and_what_follows_is_kept() -> None:
    built = build(program(AXPB), Target.vulkan("llvmpipe"))
    words = ["iree-run-module", "--module=axpb.vmfb", "--device=local-task", "--function=axpb"]
    said = message(run_tool(*words, cwd=built.vmfb.parent, check=False), columns=80).splitlines()
    assert said[0] == "<vm>:0: INCOMPATIBLE"
    assert said[1].endswith("…")
    assert len(said[1]) == 80
    assert "  creating VM context" in said


def test_every_reply_to_a_guess_says_why() -> None:
    assert stage(0).questions
    for guess in (1, 2):
        assert "they were fused" in str(predict("0.q1", guess))
    for names in ({"hal"}, {"vm"}):
        assert "that is hal" in str(predict("0.q2", names))
