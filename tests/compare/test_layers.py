from itertools import pairwise

import pytest

from iree_layers.compare.census import dialects
from iree_layers.compare.changes import changes
from iree_layers.compare.layers import layers
from iree_layers.dump.index import index
from iree_layers.dump.source import MemorySource
from iree_layers.dump.trace import trace

NO_MODULE = b"// -----// IR Dump After A: a //----- //\nfunc.func @f() {\n  return\n}\n"


def test_all_layers_in_order(mlp):
    table = layers(mlp)
    assert tuple(row.name for row in table) == mlp.layers
    assert sum(row.snapshots for row in table) == len(mlp)
    assert sum(row.changed for row in table) == len(list(changes(mlp).changed()))


def test_out_of_one_layer_into_the_next(mlp):
    table = layers(mlp)
    assert table[0].ops_in == dialects(mlp.input)
    for row, following in pairwise(table):
        assert row.ops_out == following.ops_in


def test_what_goes_out_is_the_phase_file(mlp):
    for name in ("flow", "stream", "hal"):
        assert layers(mlp).named(name).ops_out == dialects(mlp.phase(name))


def test_dispatches(mlp):
    table = layers(mlp)
    assert table.named("input").dispatches == 0
    for name in ("dispatch-creation", "flow", "stream", "executable-targets"):
        assert table.named(name).dispatches == 1


def test_passes_that_changed_something_ran(mlp):
    for row in layers(mlp):
        assert set(row.changed_passes) <= set(row.passes)
        assert len(row.changed_passes) <= row.changed <= row.snapshots


def test_module_scope_has_the_same_borders(mlp, mlp_module):
    for row, other in zip(layers(mlp), layers(mlp_module), strict=True):
        assert (row.name, row.snapshots, row.ops_out) == (
            other.name,
            other.snapshots,
            other.ops_out,
        )


def test_in_a_trace_of_changes_the_first_snapshot_counts(mlp):
    only_changed = trace(mlp.program, mlp.target, changed=True)
    assert layers(only_changed).named("input").changed == layers(mlp).named("input").changed == 1
    assert sum(row.changed for row in layers(only_changed)) == len(
        list(changes(only_changed).changed())
    )
    # Without the trace nobody knows why it was printed.
    assert layers(only_changed.dump).named("input").changed == 0


def test_an_unknown_name(mlp):
    with pytest.raises(KeyError):
        layers(mlp).named("codegen")


def test_a_dump_without_a_module():
    row = layers(index(MemorySource(NO_MODULE)))[0]
    assert (row.name, row.snapshots, row.ops_out, row.dispatches) == ("unknown", 1, {}, 0)


def test_texts(mlp):
    lines = str(layers(mlp)).split("\n")
    assert len(lines) == len(mlp.layers) + 1
    assert max(map(len, lines)) < 150
    assert lines[-1].startswith("vm ")
    assert "→" in str(layers(mlp)[0])
