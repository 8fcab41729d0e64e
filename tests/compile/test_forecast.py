from __future__ import annotations

import pytest

from iree_layers.compile.capture import Capture, capture
from iree_layers.compile.forecast import Forecast, expected_bytes, forecast, snapshots_by_phase
from iree_layers.compile.phases import PHASES
from iree_layers.compile.program import Program
from iree_layers.errors import ProgramError

HEADER = "\n// -----// IR Dump "


@pytest.fixture(scope="module")
def at_op(mlp: Program) -> Forecast:
    return forecast(mlp)


@pytest.fixture(scope="module")
def at_module(mlp: Program) -> Forecast:
    return forecast(mlp, scope="module")


def test_snapshots_are_counted_not_guessed(at_op: Forecast, mlp_capture: Capture) -> None:
    dump = mlp_capture.dump.read_text()
    assert at_op.snapshots == ("\n" + dump).count(HEADER)
    counts = snapshots_by_phase(dump)
    assert tuple(counts) == PHASES
    assert counts["flow"] == 31


def test_bytes_are_within_the_error_that_is_stated(
    at_op: Forecast, at_module: Forecast, mlp_capture: Capture, mlp_module_capture: Capture
) -> None:
    assert at_op.low < mlp_capture.dump.stat().st_size < at_op.high
    assert at_module.low < mlp_module_capture.dump.stat().st_size < at_module.high
    assert at_module.snapshots == at_op.snapshots


def test_it_reads_as_one_line_when_it_is_small(at_op: Forecast) -> None:
    assert str(at_op).startswith("mlp at op scope: 3 to 6 MB in 7")
    assert (at_op.advice, "\n" in str(at_op)) == ("", False)


def test_a_large_one_says_how_to_get_less() -> None:
    large = Forecast("m", "module", 10, 5 << 30, 9.0, "smaller: scope='op'")
    assert str(large).endswith("smaller: scope='op'")


def test_bytes_grow_with_the_module_and_at_module_scope_with_the_passes() -> None:
    sizes = dict.fromkeys(PHASES, 1000)
    counts = dict.fromkeys(PHASES, 36)
    larger, longer = dict.fromkeys(PHASES, 2000), {**counts, "stream": 360}
    for scope in ("op", "module"):
        assert expected_bytes(larger, counts, scope) == 2 * expected_bytes(sizes, counts, scope)
    assert expected_bytes(sizes, longer, "op") == expected_bytes(sizes, counts, "op")
    assert expected_bytes(sizes, longer, "module") > 5 * 36 * 1000
    assert expected_bytes({}, {}, "op") == 0


def test_a_dump_without_markers_is_all_in_the_last_phase() -> None:
    header = "// -----// IR Dump After CSEPass: cse //----- //\n"
    assert snapshots_by_phase(header * 3) == {"vm": 3}


def test_module_scope_is_refused_before_it_is_run(mlp: Program) -> None:
    with pytest.raises(ProgramError, match="mlp at module scope") as caught:
        capture(mlp, scope="module", limit_bytes=1_000_000)
    assert "1,000,000 bytes" in caught.value.expected
    assert "only_layer" in caught.value.todo
