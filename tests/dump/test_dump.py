"""A dump as a value: text, counts, views; and everything that `open_dump` takes or refuses."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings

from iree_layers.dump.dump import Dump, open_dump
from iree_layers.dump.index import index
from iree_layers.dump.source import MemorySource
from iree_layers.errors import DumpError

from .streams import streams


@pytest.fixture
def dumps(samples: Path) -> Path:
    return samples / "dumps"


@pytest.fixture
def dump(dumps: Path) -> Dump:
    return open_dump(dumps / "op-scope.txt")


def test_indexing_and_iterating(dump: Dump) -> None:
    assert len(dump) == 15
    assert dump[3] is dump.snapshots[3]
    assert dump[-1].index == 14
    assert [each.index for each in dump[2:5]] == [2, 3, 4]
    assert [each.index for each in dump] == list(range(15))
    with pytest.raises(IndexError):
        dump[15]


def test_text_ir_and_raw(dump: Dump) -> None:
    text = dump.text(0)
    assert text.startswith("module {\n")
    assert text.endswith("}\n\n\n")
    assert dump.text(dump[0]) == text == dump.ir(0).decode()
    assert dump.raw(0).endswith(dump.ir(0))
    assert dump.raw(0).startswith(b"// -----// IR Dump After AutoInputConversionPipelinePass")


def test_text_of_bytes_that_are_not_utf8(dumps: Path) -> None:
    dump = open_dump(dumps / "twin-utf8.txt")
    assert "%arg\ufffd\ufffd0" in dump.text(0)
    assert b"%arg\xff\xfe0" in dump.ir(0)


def test_crlf_is_kept(dumps: Path) -> None:
    dump = open_dump(dumps / "twin-crlf.txt")
    assert dump.text(0).endswith("}\r\n\r\n")
    assert dump[0].header == open_dump(dumps / "warning.txt")[0].header


def test_report_counts(dumps: Path) -> None:
    report = open_dump(dumps / "failed.txt").report()
    assert (report.snapshots, report.failed, report.distinct, report.noise) == (6, 1, 2, 2)
    assert report.noise_bytes == 490
    assert report.unattributed_bytes == 0
    assert report.size == (dumps / "failed.txt").stat().st_size
    assert str(report) == (
        "6 snapshots (2 distinct, 1 failed), 2,717 bytes\n"
        "2 places with other text (490 bytes)\n"
        "0 bytes unattributed"
    )
    unknown = open_dump(dumps / "twin-unknown-header.txt").report()
    assert unknown.unknown_headers == 1
    assert "1 header-like lines not understood" in str(unknown)


def test_the_culprit_is_the_first_failed(dumps: Path) -> None:
    for name in ("failed.txt", "old-failed.txt"):
        assert [each.name for each in open_dump(dumps / name).failed] == [
            "torch-reduce-op-variants"
        ]


def test_unattributed_bytes_are_computed(dump: Dump) -> None:
    """A dump that lost a snapshot, or claims a byte twice, says so."""
    without = Dump(dump.source, dump.snapshots[1:], dump.noise, dump.origin)
    assert without.unattributed_bytes == dump[0].end - dump[0].start
    twice = Dump(dump.source, (dump[0], *dump.snapshots), dump.noise, dump.origin)
    assert twice.unattributed_bytes > 0
    assert b"".join(without.parts()) != dump.source.read(0, dump.size)


def test_repr_is_short(dump: Dump) -> None:
    assert repr(dump).startswith("Dump(15 snapshots, 8,094 bytes, ")
    assert repr(dump.only("add")).startswith("Dump(4 snapshots, 11 hidden, 8,094 bytes, ")


# only()


def test_only_keeps_a_symbol_and_counts_the_rest(dump: Dump) -> None:
    view = dump.only("@add")
    assert {each.symbol for each in view} == {"add"}
    assert [each.index for each in view] == list(range(len(view)))
    assert view.hidden == len(dump) - len(view) == 11
    assert [view.text(each) for each in view] == [
        dump.text(each) for each in dump if each.symbol == "add"
    ]
    assert view.unattributed_bytes == 0
    assert b"".join(view.parts()) == dump.source.read(0, dump.size)
    assert "11 snapshots hidden" in str(view.report())


def test_only_points_at_equal_snapshots_of_the_view(dump: Dump) -> None:
    view = dump.only("add")
    first = {each.content: each.index for each in reversed(view.snapshots)}
    assert len(first) < len(view)
    for each in view:
        same = first[each.content]
        assert each.same_as == (None if same == each.index else same)


def test_only_finds_the_symbol_of_the_header(dumps: Path) -> None:
    dump = open_dump(dumps / "symbols.txt")
    assert len(dump.only("a::b")) == 1
    assert len(dump.only("weird*")) == 1
    assert len(dump.only("*")) == 5


def test_only_of_only(dump: Dump) -> None:
    view = dump.only("*add").only("add")
    assert view.hidden == 11
    assert view.unattributed_bytes == 0


def test_only_keeps_its_own_noise_and_hides_the_rest(dumps: Path) -> None:
    dump = open_dump(dumps / "warning.txt")
    view = dump.only(dump[0].symbol or "")
    assert [each.kind for each in view.noise] == ["warning", "note"]
    other = dump.only(dump[0].symbol or "").hidden_ranges
    assert other == (() if len(view) == len(dump) else other)
    assert view.unattributed_bytes == 0


def test_only_with_no_match_names_near_symbols(dump: Dump) -> None:
    with pytest.raises(
        DumpError, match=r"like 'ad'\n  next: symbols of this dump are e\.g\. .*add"
    ):
        dump.only("ad")


@given(streams)
@settings(deadline=None)
def test_views_account_for_every_byte(data: bytes) -> None:
    dump = index(MemorySource(data))
    for pattern in ("f", "m"):
        try:
            view = dump.only(pattern)
        except DumpError:
            continue
        assert b"".join(view.parts()) == data
        assert view.unattributed_bytes == 0
        assert len(view) + view.hidden == len(dump)
        for each in view:
            if each.same_as is not None:
                assert view[each.same_as].content == each.content
                assert each.same_as < each.index


# open_dump


def test_opens_a_path_text_bytes_and_stdin(dumps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = dumps / "op-scope.txt"
    data = path.read_bytes()
    snapshots = open_dump(path).snapshots
    assert open_dump(str(path)).snapshots == snapshots
    assert open_dump(data).snapshots == snapshots
    assert open_dump(data.decode()).snapshots == snapshots

    class Stdin:
        buffer = io.BytesIO(data)

    monkeypatch.setattr("sys.stdin", Stdin)
    dump = open_dump("-")
    assert dump.snapshots == snapshots
    assert dump.origin == "stdin"
    assert dump.text(1) == open_dump(path).text(1)


def test_text_with_bytes_that_were_not_utf8() -> None:
    """Python reads such files with surrogates; the bytes come back."""
    data = b"// -----// IR Dump After CSEPass: cse //----- //\nmodule {\n  \xff\n}\n\n\n"
    dump = open_dump(data.decode("utf-8", "surrogateescape"))
    assert dump.source.read(0, dump.size) == data


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_opens_a_named_pipe(dumps: Path, tmp_path: Path) -> None:
    """As `iree-layers open <(iree-compile … 2>&1)` does."""
    data = (dumps / "op-scope.txt").read_bytes()
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(data,))
    writer.start()
    dump = open_dump(tmp_path / "pipe")
    writer.join()
    assert b"".join(dump.parts()) == data


MODULE = b"module {\n  util.return\n}\n"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "empty: the compiler printed nothing"),
        (MODULE, "IR without pass headers"),
        (b"#map = affine_map<()>\n" + MODULE, "IR without pass headers"),
        (b"util.func public @f() {\n}\n", "IR without pass headers"),
        (gzip.compress(MODULE), "compressed with gzip"),
        (zstandard.compress(MODULE), "compressed with zstd"),
        (b"PK\x03\x04" + bytes(60), "a zip archive, perhaps a .vmfb"),
        (b"ML\xefR" + bytes(60), "MLIR bytecode"),
        (b"t.mlir:1:1: error: expected\n", "only messages of the compiler"),
        (b"; *** IR Dump After FooPass on f ***\n", "LLVM's passes"),
        (b"// *** IR Dump After Canonicalizer ***\nmodule {\n}\n", "form before 2021"),
        (b"  // -----// IR Dump After CSEPass: cse //----- //\n", "do not start a line"),
        (bytes(100), "a binary file"),
        (b"hello\n", "text without any pass header"),
    ],
)
def test_says_what_a_file_is_that_is_no_dump(tmp_path: Path, data: bytes, found: str) -> None:
    (tmp_path / "x.bin").write_bytes(data)
    with pytest.raises(DumpError) as caught:
        open_dump(tmp_path / "x.bin")
    assert found in caught.value.found
    assert caught.value.todo
    assert caught.value.expected.startswith("lines `// -----// IR Dump")


@pytest.mark.parametrize(
    ("name", "found"),
    [("no-header.txt", "IR without pass headers"), ("twin-utf16.txt", "UTF-16")],
)
def test_samples_that_are_no_dumps(dumps: Path, name: str, found: str) -> None:
    with pytest.raises(DumpError, match=found):
        open_dump(dumps / name)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DumpError, match="No such file"):
        open_dump(tmp_path / "nothing.txt")


def test_a_dump_may_be_dropped_without_closing(dumps: Path) -> None:
    """Warnings are errors here: a file that is left open would fail this."""
    import gc

    open_dump(dumps / "op-scope.txt")
    gc.collect()
    closed = open_dump(dumps / "op-scope.txt")
    closed.close()
    assert len(closed) == 15
    with pytest.raises(DumpError, match="closed"):
        closed.text(0)
