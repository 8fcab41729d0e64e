"""One compile as a value: what it gives, what it says when it cannot, and who owns the files."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from iree_layers.compile.phases import PHASES
from iree_layers.dump.trace import Trace, trace
from iree_layers.errors import CompileError, CompilerCrash, DumpError

# Crashes 3.13 in a pass of dispatch creation.
UNREGISTERED = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "foo.bar"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
# Refused by the parser, before any pass.
ILLEGAL = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tosa.nosuch"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_a_trace_has_everything_in_one_value(mlp_trace):
    assert mlp_trace.layers == PHASES
    assert tuple(mlp_trace.phases) == PHASES
    assert mlp_trace.vmfb.read_bytes()[:2] == b"PK"
    assert {file.suffix for file in mlp_trace.files} >= {".ll", ".s", ".o", ".mlir"}
    assert mlp_trace.exit == 0
    assert mlp_trace.command.startswith("iree-compile mlp.mlir -o mlp.vmfb ")
    assert mlp_trace.versions.compiler
    assert mlp_trace.how in ("shim", "pipe", "file")
    assert mlp_trace.dump.unattributed_bytes == 0


@pytest.mark.parametrize("layer", ["executable-sources", "hal"])
def test_one_layer_alone_has_no_other_phases(mlp_trace, layer):
    found = trace(mlp_trace.program, mlp_trace.target, layer=layer)
    assert found.layers == tuple(found.phases) == (layer,)
    assert found.phase(layer).splitlines()[0] == mlp_trace.phase(layer).splitlines()[0]


def test_its_repr_is_one_stable_line(mlp_trace):
    total = len(mlp_trace)
    assert repr(mlp_trace) == f"Trace(mlp for text: {total} snapshots, 12 layers, 12 phases)"


def test_text_and_phase_agree_at_each_border(mlp_trace):
    for layer in PHASES:
        border = mlp_trace.at(layer)[-1]
        # Constants are cut in both, and nothing ran in between.
        assert mlp_trace.text(border).strip() == mlp_trace.phase(layer).strip()


def test_the_input_stands_before_snapshot_0(mlp_trace, samples):
    assert mlp_trace.input == (samples / "mlp.mlir").read_text()


def test_snapshots_by_index_and_by_layer(mlp_trace):
    assert mlp_trace.snapshot(3) is mlp_trace.snapshots[3]
    assert mlp_trace.snapshot(-1) is mlp_trace[-1]
    assert sum(len(mlp_trace.at(layer)) for layer in mlp_trace.layers) == len(mlp_trace)
    assert list(mlp_trace) == list(mlp_trace.snapshots)


def test_passes_are_counted_once_with_before_and_after(make_trace):
    plain, both = make_trace("mlp"), make_trace("mlp", before=True)
    assert len(both) == 2 * len(plain)
    assert all(both.passes(layer) == plain.passes(layer) for layer in PHASES)


@pytest.mark.parametrize(
    ("ask", "found", "hint"),
    [
        (lambda t: t.phase("flwo"), "no phase 'flwo'", "did you mean 'flow'"),
        (lambda t: t.at("const-evl"), "no layer 'const-evl'", "one of input, abi"),
        (lambda t: t.passes("strem"), "no layer 'strem'", "did you mean 'stream'"),
        (lambda t: t.snapshot(10**6), "no snapshot 1000000", "0 to "),
        (lambda t: t.text(-(10**6)), "no snapshot -1000000", "0 to "),
    ],
)
def test_wrong_names_get_the_nearest_right_one(ask, found, hint, mlp_trace):
    with pytest.raises(DumpError, match=found) as caught:
        ask(mlp_trace)
    assert hint in str(caught.value)


def test_only_keeps_one_dispatch_and_hides_the_rest(samples, make_trace):
    whole = make_trace("two_matmuls")
    part = trace(samples / "two_matmuls.mlir", only="@main_dispatch_1*", files=False)
    assert {s.dispatch for s in part} <= {"main_dispatch_1", None}
    assert len(part) + part.dump.hidden == len(whole)
    assert b"".join(part.dump.parts()) == b"".join(whole.dump.parts())


def test_only_with_nothing_to_show_says_what_there_is(samples):
    with pytest.raises(DumpError, match="@nosuch") as caught:
        trace(samples / "mlp.mlir", only="@nosuch", files=False)
    assert "mlp" in str(caught.value)


def test_a_crash_carries_a_trace_of_what_was_printed():
    with pytest.raises(CompilerCrash) as caught:
        trace(UNREGISTERED)
    partial = caught.value.partial
    assert isinstance(partial, Trace)
    assert partial.exit < 0
    assert "exit -" in repr(partial)
    assert not any(s.guessed for s in partial)
    assert partial.layers == PHASES[: len(partial.layers)]
    assert partial.vmfb is None
    # The phase in progress has snapshots but no file.
    assert tuple(partial.phases) == partial.layers[:-1]


def test_an_error_in_the_program_is_a_compile_error():
    with pytest.raises(CompileError) as caught:
        trace(ILLEGAL)
    assert isinstance(caught.value.partial, Trace)
    assert len(caught.value.partial) == 0


def test_files_live_as_long_as_the_trace(samples):
    made = trace(samples / "mlp.mlir", files=False)
    # Plain paths: those of the trace hold the folder too.
    phase, vmfb = Path(str(made.phases["flow"])), Path(str(made.vmfb))
    gc.collect()
    assert phase.is_file()
    assert vmfb.is_file()
    dump = made.dump
    del made
    gc.collect()
    assert not phase.exists()
    assert not vmfb.exists()
    assert "func" in dump.text(0)  # the dump's own file stays open


def test_a_folder_of_yours_is_kept(samples, tmp_path):
    folder = tmp_path / "kept"
    made = trace(samples / "mlp.mlir", folder=folder, files=False)
    flow = made.phases["flow"]
    del made
    gc.collect()
    assert flow.is_file()
    assert flow.parent.parent == folder


def test_locations_and_module_scope_reach_the_compiler(make_trace):
    assert "loc(" in make_trace("mlp", locations=True).text(0)
    anchored = make_trace("mlp", scope="module")
    assert all(s.header.op for s in anchored)
