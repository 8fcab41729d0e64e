import pytest

from iree_layers.compare.changes import Change, changes
from iree_layers.compare.diff import diff
from iree_layers.compare.predecessor import before, ir
from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import MemorySource
from iree_layers.dump.trace import trace
from iree_layers.errors import CompileError


def test_one_per_snapshot_and_kept(mlp):
    found = changes(mlp)
    assert [change.index for change in found] == list(range(len(mlp)))
    assert changes(mlp.dump) is found


def test_they_are_the_diffs(mlp):
    for change in list(changes(mlp).changed())[::7]:
        text = before(mlp, change.index).text
        found = diff(text, ir(mlp.dump, mlp.dump[change.index]))
        assert (change.added, change.removed) == (found.added, found.removed)


def test_equal_content_is_no_change(mlp_module):
    found = changes(mlp_module)
    for old, new in zip(mlp_module.dump, mlp_module.dump[1:], strict=False):
        if old.content == new.content:
            assert not found[new.index].changed
            assert not found[new.index].only_renumbering


def test_both_scopes_tell_of_the_same_passes(mlp, mlp_module):
    assert [s.name for s in mlp.dump] == [s.name for s in mlp_module.dump]
    op, module = ([change.changed for change in changes(trace)] for trace in (mlp, mlp_module))
    agree = sum(x == y for x, y in zip(op, module, strict=True))
    assert agree / len(op) > 0.95


RENUMBERED = b"""\
// -----// IR Dump After A: a //----- //
func.func @f(%arg0: i32) -> i32 {
  %1 = arith.addi %arg0, %arg0 : i32
  return %1 : i32
}

// -----// IR Dump After B: b //----- //
func.func @f(%arg0: i32) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  return %0 : i32
}

// -----// IR Dump After C: c //----- //
func.func @f(%arg0: i32) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  return %arg0 : i32
}
"""


def test_renumbering_is_told_from_change():
    found = changes(assign(index(MemorySource(RENUMBERED))))
    assert [(c.only_renumbering, c.changed) for c in found[1:]] == [(True, False), (False, True)]
    assert str(found[1]) == "1 b: only renumbering"
    assert str(found[2]) == "2 c: +1 -1"


def test_how_a_text_was_put_together_is_no_renumbering(mlp, mlp_module):
    # No pass of this program only renumbers, as the dump at module scope shows.
    for traced in (mlp, mlp_module):
        assert not any(change.only_renumbering for change in changes(traced))


def test_before_snapshots_count_as_unchanged(mlp_both):
    for change, snapshot in zip(changes(mlp_both), mlp_both.dump, strict=True):
        if snapshot.header.when == "Before":
            assert not change.changed


def test_texts(mlp):
    text = str(changes(mlp))
    assert text == repr(changes(mlp))
    assert len(text.split("\n")) == 40
    assert text.startswith(f"{len(mlp)} snapshots: ")
    assert text.split("\n")[-1].endswith("more changed snapshots")
    assert str(changes(mlp)[0]) == f"0 {mlp.dump[0].name}: first seen"
    change = Change(7, "cse", 5, "same op", 0, 1, 2, False, False)
    assert str(change) == "7 cse: +1 -2"


def test_in_a_trace_of_changes_the_first_snapshot_is_told_to_have_changed(mlp):
    told = trace(mlp.program, mlp.target, changed=True, files=False)
    first = changes(told)[0]
    assert (first.first_seen, first.changed, first.added) == (True, True, 0)
    assert str(first) == f"0 {told[0].name}: first seen, changed"
    assert not changes(told.dump)[0].changed
    assert changes(told) is changes(told)
    for change, snapshot in zip(changes(told), told, strict=True):
        assert not (change.told and snapshot.header.when == "Before")


# An unresolved call inside a linalg.generic: code generation refuses it.
_FAILING = """
func.func @bad(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>], iterator_types=["parallel"]}
      outs(%x : tensor<8xf32>) {
  ^bb0(%o: f32):
    %c = func.call @missing(%o) : (f32) -> f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @missing(f32) -> f32
"""


def test_what_a_failed_pass_left_is_not_compared():
    with pytest.raises(CompileError) as caught:
        trace(_FAILING)
    dump = caught.value.partial.dump
    assert dump.failed
    found = changes(dump)
    assert not any(found[snapshot.index].changed for snapshot in dump.failed)
    assert found[dump.failed[0].index - 1].how != "none"
