"""Folders that the compiler writes, and broken twins of them."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from iree_layers.compile.phases import PHASES
from iree_layers.dump.folder import TreeDump, open_folder, open_phases, open_tree
from iree_layers.errors import DumpError

TREES = [
    ("mlp", "llvm-cpu", ()),
    ("mlp", "vulkan-spirv", ()),
    ("mlp", "vmvx", ()),
    ("two_matmuls", "llvm-cpu", ()),
    ("const_eval", "llvm-cpu", ()),
    ("mlp", "llvm-cpu", ("--mlir-print-ir-before-all",)),
]


@pytest.mark.parametrize(("name", "target", "flags"), TREES)
def test_missing_is_exactly_what_the_tree_lost(name, target, flags, make_tree):
    tree = make_tree(name, target, *flags)
    dump = open_folder(tree.folder)
    assert isinstance(dump, TreeDump)
    assert dump.missing == tree.printed - len(dump)
    assert dump.unattributed_bytes == 0
    assert ("lost" in repr(dump)) == (dump.missing > 0)


def test_a_tree_does_lose_snapshots(make_tree):
    assert open_tree(make_tree("const_eval").folder).missing > 20


@pytest.mark.parametrize(
    ("name", "target"), [("two_matmuls", "llvm-cpu"), ("const_eval", "llvm-cpu")]
)
def test_a_tree_has_the_layers_and_dispatches_of_the_stream(name, target, make_tree, make_trace):
    def rows(dump):
        kept = (s for s in dump if s.op not in ("util.initializer", "vm.initializer"))
        return Counter((s.layer, s.dispatch, s.name, s.content) for s in kept)

    tree, stream = (
        rows(open_tree(make_tree(name, target).folder)),
        rows(make_trace(name, target).dump),
    )
    # The phases folder's name stands in no body, so bodies are the same bytes.
    assert sum((tree - stream).values()) <= 0.01 * sum(stream.values())
    assert Counter({k[:3]: 0 for k in tree}) == Counter({k[:3]: 0 for k in stream})


def test_a_tree_comes_in_the_order_of_its_counters(make_tree, make_trace):
    tree = open_tree(make_tree("mlp").folder)
    stream = make_trace("mlp").dump
    whole = [s.name for s in tree if s.op == "module" and s.dispatch is None]
    assert whole == [s.name for s in stream if s.op == "module" and s.dispatch is None]


def test_a_tree_without_markers_is_a_guess(make_tree, tmp_path):
    shutil.copytree(make_tree("mlp").folder, tmp_path / "t")
    for marker in (tmp_path / "t").rglob("*_iree-util-dump-module.mlir"):
        marker.unlink()
    dump = open_folder(tmp_path / "t")
    assert all(s.guessed for s in dump)


def test_files_of_other_kinds_in_a_tree_are_left_alone(make_tree, tmp_path):
    shutil.copytree(make_tree("mlp").folder, tmp_path / "t")
    before = len(open_folder(tmp_path / "t"))
    (tmp_path / "t" / "12_notes.mlir").write_text("module {}\n")
    (tmp_path / "t" / "README").write_text("hello")
    (tmp_path / "t" / "3_cse.mlir").write_bytes(b"")
    assert len(open_folder(tmp_path / "t")) == before


def test_a_tree_file_that_was_cut_does_not_swallow_the_next(make_tree, tmp_path):
    shutil.copytree(make_tree("mlp").folder, tmp_path / "t")
    whole = open_folder(tmp_path / "t")
    victim = next((tmp_path / "t").rglob("2_*.mlir"))
    victim.write_bytes(victim.read_bytes()[:150])
    cut = open_folder(tmp_path / "t")
    assert [s.name for s in cut] == [s.name for s in whole]


def test_a_phases_folder_has_one_exact_snapshot_per_phase(mlp_trace):
    folder = next(iter(mlp_trace.phases.values())).parent
    dump = open_folder(folder)
    assert [s.layer for s in dump] == list(PHASES)
    assert not any(s.guessed for s in dump)
    for snapshot in dump:
        assert dump.text(snapshot) == mlp_trace.phase(snapshot.layer)


def test_some_phases_are_enough(mlp_trace, tmp_path):
    for name in ("flow", "hal"):
        shutil.copy(mlp_trace.phases[name], tmp_path)
    dump = open_phases(tmp_path)
    # One snapshot stands for each phase: it is the marker itself.
    assert [(s.layer, s.guessed) for s in dump] == [("flow", False), ("hal", False)]


def test_phases_of_two_programs_are_refused(mlp_trace, tmp_path):
    shutil.copy(mlp_trace.phases["flow"], tmp_path / "a.6.flow.mlir")
    shutil.copy(mlp_trace.phases["flow"], tmp_path / "b.6.flow.mlir")
    with pytest.raises(DumpError, match="several programs: a, b"):
        open_folder(tmp_path)


def test_other_folders_are_refused_with_what_they_hold(tmp_path):
    with pytest.raises(DumpError, match="it is empty"):
        open_folder(tmp_path)
    (tmp_path / "thesis.docx").write_text("")
    with pytest.raises(DumpError, match=r"it has thesis\.docx") as caught:
        open_folder(tmp_path)
    assert "mlp.6.flow.mlir" in str(caught.value)


def test_no_such_folder(tmp_path):
    with pytest.raises(DumpError, match="there is no folder"):
        open_folder(tmp_path / "nowhere")
