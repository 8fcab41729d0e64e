"""Stored traces: the same bytes back, small, lazy, and never a wrong text from a damaged file."""

from __future__ import annotations

import gc
import io
import json
import random
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iree_layers.dump import blocks, store
from iree_layers.dump.blocks import BlockReader, BlockWriter
from iree_layers.dump.folder import TreeDump, open_tree
from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import MemorySource
from iree_layers.dump.store import load, save
from iree_layers.errors import DumpError


def dump_of(data: bytes):
    return assign(index(MemorySource(data)))


@pytest.fixture(scope="module")
def stored(mlp_trace, tmp_path_factory):
    """The MLP's trace in a file."""
    return save(mlp_trace, tmp_path_factory.mktemp("stored") / "mlp.trace")


# Round trips


def test_a_trace_comes_back_whole(mlp_trace, stored):
    again = load(stored)
    for name in ("program", "target", "versions", "command", "exit", "seconds", "how", "notes"):
        assert getattr(again, name) == getattr(mlp_trace, name), name
    assert again.snapshots == mlp_trace.snapshots
    assert again.dump.noise == mlp_trace.dump.noise
    assert again.dump.origin == mlp_trace.dump.origin
    assert b"".join(again.dump.parts()) == b"".join(mlp_trace.dump.parts())
    assert repr(again) == repr(mlp_trace)


def test_its_files_come_back_with_names_and_bytes(mlp_trace, stored):
    again = load(stored)
    assert list(again.phases) == list(mlp_trace.phases)
    assert again.phases["flow"].name == mlp_trace.phases["flow"].name
    assert again.phase("vm") == mlp_trace.phase("vm")
    assert again.vmfb.read_bytes() == mlp_trace.vmfb.read_bytes()
    assert [(f.name, f.read_bytes()) for f in again.files] == [
        (f.name, f.read_bytes()) for f in mlp_trace.files
    ]


def test_a_trace_may_be_stored_again(stored, tmp_path):
    twice = save(load(stored), tmp_path / "again")
    assert twice == tmp_path / "again.trace"
    assert twice.read_bytes() == stored.read_bytes()


@pytest.mark.parametrize("options", [{"scope": "module"}, {"before": True}, {"changed": True}])
def test_dumps_of_other_kinds_come_back(options, make_trace, tmp_path):
    dump = make_trace("const_eval", **options).dump
    again = load(save(dump, tmp_path / "x"))
    assert again.snapshots == dump.snapshots
    assert b"".join(again.parts()) == b"".join(dump.parts())


def test_an_old_dump_comes_back(old_dump, tmp_path):
    again = load(save(dump_of(old_dump), tmp_path / "x"))
    assert b"".join(again.parts()) == old_dump


def test_a_filtered_dump_keeps_what_it_hides(make_trace, tmp_path):
    dump = make_trace("two_matmuls").dump.only("main_dispatch_0")
    path = save(dump, tmp_path / "x")
    again = load(path)
    assert again.snapshots == dump.snapshots
    assert (again.hidden, again.hidden_ranges) == (dump.hidden, dump.hidden_ranges)
    assert b"".join(again.parts()) == b"".join(dump.parts())
    # What is hidden repeats like the rest, and is as small.
    assert path.stat().st_size < dump.size / 30


def test_the_number_of_lost_snapshots_is_kept(make_tree, tmp_path):
    tree = open_tree(make_tree("mlp").folder)
    again = load(save(tree, tmp_path / "x"))
    assert isinstance(again, TreeDump)
    assert again.missing == tree.missing > 0


def test_a_folder_of_the_compiler_is_loaded_too(make_tree):
    assert isinstance(load(make_tree("mlp").folder), TreeDump)


HEADER = b"// -----// IR Dump After CSEPass: cse //----- //\n"
FRAGMENT = st.sampled_from(
    [
        HEADER,
        HEADER.replace(b"\n", b"\r\n"),
        b"// -----// IR Dump After CSE (cse) //----- //\n",
        b"// -----// IR Dump something else\n",
        b"module {\n}\n\n",
        b"func.func @f() {\n  return\n}\n\n",
        b'  "// -----// IR Dump After X: y //----- //"\n',
        b"x.mlir:1:1: warning: watch out\n  %0 = a\n       ^\n",
        b"\x00\xff\xfe\x1b[31m",
        b"\r\n",
        b"no newline at the end",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(FRAGMENT | st.binary(max_size=40), max_size=12).map(b"".join),
    st.integers(1, 64),
)
def test_any_stream_comes_back_byte_for_byte(tmp_path_factory, data, chunk):
    dump = dump_of(data)
    path = tmp_path_factory.getbasetemp() / "property.trace"
    whole = store._CHUNK
    store._CHUNK = chunk  # pieces that end in the middle of everything
    try:
        save(dump, path)
    finally:
        store._CHUNK = whole
    again = load(path)
    assert b"".join(again.parts()) == data
    assert (again.snapshots, again.noise) == (dump.snapshots, dump.noise)
    assert [again.text(s) for s in again] == [dump.text(s) for s in dump]
    again.close()


@given(st.lists(st.binary(max_size=30), max_size=30), st.data())
def test_any_range_of_a_stored_source_is_right(tmp_path_factory, pieces, data):
    path = tmp_path_factory.getbasetemp() / "ranges.trace"
    with path.open("wb") as out:
        writer = BlockWriter(out)
        numbers = [writer.add(piece) for piece in pieces]
        writer.finish({})
    source = blocks.PieceSource(BlockReader(path), numbers)
    whole = b"".join(pieces)
    assert source.size == len(whole)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    assert source.read(start, end) == whole[start:end]
    source.close()


# Size, laziness, determinism


def test_the_same_value_gives_the_same_bytes(mlp_trace, stored, tmp_path):
    assert save(mlp_trace, tmp_path / "other.trace").read_bytes() == stored.read_bytes()


@pytest.mark.parametrize("name", ["mlp", "two_matmuls", "const_eval"])
def test_a_dump_is_at_most_a_thirtieth_of_its_text(name, make_trace, tmp_path):
    dump = make_trace(name).dump
    assert save(dump, tmp_path / "x").stat().st_size <= dump.size / 30


def test_blocks_hold_many_snapshots(make_trace, tmp_path):
    dump = make_trace("const_eval").dump
    reader = BlockReader(save(dump, tmp_path / "x"))
    assert len(reader.index["blocks"][0]) <= 2
    reader.close()


def test_opening_reads_no_block(stored, monkeypatch):
    opened = []
    monkeypatch.setattr(
        BlockReader, "_block", lambda self, number, real=BlockReader._block: (
            opened.append(number), real(self, number)
        )[1],
    )  # fmt: skip
    again = load(stored)
    # The program's source is part of the value; it has its own block, far from the dump.
    assert len(set(opened)) <= 1
    opened.clear()
    again.text(0)
    assert len(opened) >= 1


def test_no_more_than_a_few_blocks_stay_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK_BYTES", 1 << 10)
    path = tmp_path / "x"
    texts = [random.Random(i).randbytes(700) for i in range(50)]
    with path.open("wb") as out:
        writer = BlockWriter(out)
        numbers = [writer.add(text) for text in texts]
        writer.finish({})
    reader = BlockReader(path)
    for number, text in zip(numbers, texts, strict=True):
        assert reader.piece(number) == text
        assert len(reader._cache) <= blocks._CACHED_BLOCKS
    reader.close()


def test_files_are_unpacked_when_asked_for_and_deleted_with_the_trace(stored):
    again = load(stored)
    flow = Path(str(again.phases["flow"]))
    assert flow.is_file()
    folder = flow.parent.parent
    assert sorted(p.name for p in folder.iterdir()) == ["phases"]
    del again
    gc.collect()
    assert not folder.exists()


def test_a_file_outlives_the_trace_it_came_from(mlp_trace, stored):
    vmfb = load(stored).vmfb
    gc.collect()
    assert vmfb.read_bytes() == mlp_trace.vmfb.read_bytes()


# Where it goes


def test_a_folder_gets_a_file_named_after_the_program(mlp_trace, tmp_path):
    assert save(mlp_trace, tmp_path) == tmp_path / "mlp.trace"


def test_a_failed_save_leaves_the_old_file_and_no_other(mlp_trace, tmp_path):
    path = save(mlp_trace, tmp_path / "mlp.trace")
    before = path.read_bytes()
    closed = load(path)
    closed.dump.close()
    with pytest.raises(DumpError, match="closed"):
        save(closed.dump, path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["mlp.trace"]


# Damage


def outcome(path):
    """All that can be read from a stored trace, as one value."""
    found = load(path)
    try:
        return (
            found.snapshots,
            b"".join(found.dump.parts()),
            [file.read_bytes() for file in (*found.phases.values(), found.vmfb, *found.files)],
            found.program,
            found.command,
        )
    finally:
        found.dump.close()


def test_one_flipped_byte_is_noticed_wherever_it_is(stored, tmp_path):
    data = stored.read_bytes()
    whole = outcome(stored)
    draw = random.Random(7)
    places = [*range(12), *(len(data) - k for k in range(1, 60))]
    places += [draw.randrange(len(data)) for _ in range(60)]
    noticed = 0
    for place in places:
        twin = bytearray(data)
        twin[place] ^= 1 << draw.randrange(8)
        path = tmp_path / "twin.trace"
        path.write_bytes(twin)
        try:
            found = outcome(path)
        except DumpError:
            noticed += 1
        else:
            assert found == whole  # a byte that carries nothing, such as padding
    assert noticed > 0.9 * len(places)


def test_a_file_cut_anywhere_is_refused(stored, tmp_path):
    data = stored.read_bytes()
    draw = random.Random(7)
    for length in [0, 1, 7, 8, 9, 60, len(data) - 1, *draw.sample(range(len(data)), 20)]:
        path = tmp_path / "cut.trace"
        path.write_bytes(data[:length])
        with pytest.raises(DumpError):
            load(path)


def test_other_files_are_refused_in_words(tmp_path, samples):
    with pytest.raises(DumpError, match="begins with other bytes"):
        load(samples / "mlp.mlir")
    (tmp_path / "mlp.trace").write_text("")
    with pytest.raises(DumpError, match=r"did you mean 'mlp\.trace'"):
        load(tmp_path / "mpl.trace")


def test_a_newer_format_is_refused_in_words(stored, tmp_path):
    data = bytearray(stored.read_bytes())
    struct.pack_into("<I", data, len(data) - blocks._FOOTER.size, blocks.VERSION + 1)
    path = tmp_path / "new.trace"
    path.write_bytes(data)
    with pytest.raises(DumpError, match="format 2") as caught:
        load(path)
    assert "newer iree-layers" in str(caught.value)


# Files that somebody made to do harm


def rewritten(stored, path, change):
    """A stored file with another index, and right checksums."""
    reader = BlockReader(stored)
    found = json.loads(json.dumps(reader.index))
    change(found)
    out = io.BytesIO()
    writer = BlockWriter(out)
    for number in range(len(reader._pieces)):
        writer.add(reader.piece(number))
    reader.close()
    kept = {name: found.pop(name) for name in ("pieces", "blocks")}
    del kept
    writer.finish(found)
    path.write_bytes(out.getvalue())
    return path


EVIL = [
    "../../evil", "/etc/evil", "phases/../../evil", "a\\evil", "C:evil", "a//b", "", ".", "..",
    "phases/.", "nul\x00l", "x\ny",
]  # fmt: skip


@pytest.mark.parametrize("name", EVIL)
@pytest.mark.parametrize("where", ["files", "phases", "vmfb"])
def test_a_name_that_leaves_the_folder_is_refused(name, where, stored, tmp_path):
    def change(found):
        place = found["trace"][where]
        entry = place if where == "vmfb" else place["flow"] if where == "phases" else place[0]
        entry[0] = name

    with pytest.raises(DumpError, match="it names a file"):
        load(rewritten(stored, tmp_path / "evil.trace", change))


def drop(*keys):
    def change(found):
        for key in keys[:-1]:
            found = found[key]
        del found[keys[-1]]

    return change


def put(value, *keys):
    def change(found):
        for key in keys[:-1]:
            found = found[key]
        found[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        drop("dump"),
        drop("dump", "columns", "op"),
        drop("dump", "columns", "header", 0),
        drop("dump", "texts", 0),
        drop("trace", "program"),
        drop("trace", "order"),
        put(10**9, "dump", "pieces", 0),
        put(-1, "dump", "pieces", 0),
        put(10**9, "dump", "columns", "body", -1),
        put("x", "dump", "columns", "body", 0),
        put([[10**9, 10**9 + 1, "warning", 0]], "dump", "noise"),
        put(None, "dump", "headers"),
        put([], "dump", "contents"),
        put({}, "trace", "target"),
        put([10**9], "trace", "vmfb", 1),
        put("soon", "trace", "seconds"),
    ],
)
def test_an_index_that_makes_no_sense_is_refused(change, stored, tmp_path):
    with pytest.raises(DumpError, match="damaged"):
        load(rewritten(stored, tmp_path / "evil.trace", change))


def test_rewriting_alone_changes_nothing(stored, tmp_path):
    again = rewritten(stored, tmp_path / "same.trace", lambda found: None)
    assert outcome(again) == outcome(stored)
