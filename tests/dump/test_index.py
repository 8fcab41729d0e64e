"""The index: every header line, nothing else, each byte once; whatever the bytes are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import xxhash
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iree_layers.dump import index as index_module
from iree_layers.dump import search
from iree_layers.dump.dump import Dump
from iree_layers.dump.header import PREFIX
from iree_layers.dump.index import index
from iree_layers.dump.source import FileSource, MemorySource

from .streams import CRASH, WARNING, any_stream, streams

HEADER = b"// -----// IR Dump After CSEPass: cse //----- //\n"
BODY = b"util.func public @f() {\n  util.return\n}\n\n"


def indexed(data: bytes) -> Dump:
    return index(MemorySource(data))


def line_starts(data: bytes) -> list[int]:
    """Header lines, found the slow and plain way."""
    body = data.removeprefix(b"\xef\xbb\xbf")
    skipped = len(data) - len(body)
    starts = [0, *(found.end() for found in re.finditer(rb"\n", body))]
    return [skipped + start for start in starts if body.startswith(PREFIX, start)]


def check(data: bytes, dump: Dump) -> None:
    """What holds for every stream."""
    assert b"".join(dump.parts()) == data
    assert dump.unattributed_bytes == 0
    assert [each.start for each in dump] == line_starts(data)
    assert [each.index for each in dump] == list(range(len(dump)))
    ends = [*(each.start for each in dump.snapshots[1:]), len(data)]
    assert [each.end for each in dump] == (ends if len(dump) else [])
    first: dict[str, int] = {}
    for each in dump:
        assert each.content == xxhash.xxh3_128_hexdigest(dump.ir(each))
        same = first.setdefault(each.content, each.index)
        assert each.same_as == (None if same == each.index else same)
    for noise in dump.noise:
        assert noise.start < noise.end
        if noise.after >= 0:
            assert dump[noise.after].body <= noise.start
            assert noise.end <= dump[noise.after].end


@given(any_stream)
@example(b"")
@example(b"\n")
@example(PREFIX)
@example(b"\n" + PREFIX)
@example(HEADER + HEADER)
@example(HEADER.rstrip())
@example(HEADER + BODY + HEADER + BODY)
@example(b"\xef\xbb\xbf" + HEADER + BODY)
@settings(max_examples=400, deadline=None)
def test_every_byte_is_accounted_for(data: bytes) -> None:
    check(data, indexed(data))


@given(streams, st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_borders_of_blocks_do_not_matter(data: bytes, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_BLOCK", block)
        found = indexed(data)
    expected = indexed(data)
    assert found.snapshots == expected.snapshots
    assert found.noise == expected.noise


def test_a_header_at_every_offset_around_a_block_border() -> None:
    block = search._BLOCK
    for shift in range(-40, 5):
        filler = b"module {\n  " + b"x" * (block + shift - len(HEADER) - 14) + b"\n}\n"
        data = HEADER + filler + HEADER + BODY
        assert [each.start for each in indexed(data)] == [0, len(HEADER) + len(filler)], shift


def test_pages_that_are_given_back_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large file in small steps is the same as the bytes in memory."""
    data = b"".join(
        HEADER + BODY.replace(b"@f", b"@f%d" % (number // 3)) * (1 + number % 50)
        for number in range(600)
    )
    (tmp_path / "dump.txt").write_bytes(data)
    monkeypatch.setattr(search, "STEP", 1 << 16)
    monkeypatch.setattr(index_module, "STEP", 1 << 16)
    source = FileSource(tmp_path / "dump.txt")
    assert index(source).snapshots == indexed(data).snapshots
    source.close()


def test_a_repeated_body_is_recognised_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    data = (HEADER + BODY.replace(b"{\n", b"{\n" + b"  // a long body\n" * 20)) * 50
    searched = []
    real = search.Search.header

    def spy(self: search.Search, start: int) -> tuple[int, list[int]]:
        searched.append(start)
        return real(self, start)

    monkeypatch.setattr(search.Search, "header", spy)
    dump = indexed(data)
    assert len(dump) == 50
    assert dump.distinct == 1
    assert len(searched) == 1, "once, for the first body"


@pytest.mark.parametrize("other", [b"  util.return // -----// IR\n", b"  util.retur2\n"])
def test_a_body_of_the_same_length_is_not_taken_for_the_same(other: bytes) -> None:
    longer = BODY.replace(b"  util.return\n", other)
    data = HEADER + BODY + HEADER + longer + HEADER + BODY + HEADER + longer
    assert [each.same_as for each in indexed(data)] == [None, None, 0, 1]


def test_a_header_inside_the_length_of_an_earlier_body_is_found() -> None:
    """The second body is shorter, and where the first would end another header starts."""
    head = b"module {\n" + b"  // same\n" * 20
    long = head + b"  x\n" * 40 + b"}\n\n"
    short = head + b"}\n\n"
    middle = HEADER + b"m" * (len(long) - len(short) - len(HEADER) - 1) + b"\n"
    data = HEADER + long + HEADER + short + middle + HEADER + BODY
    dump = indexed(data)
    check(data, dump)
    assert len(dump) == 4


def test_header_lines_of_any_length(tmp_path: Path) -> None:
    for length in [1, 200, 300, 352, 353, 511, 512, 513, 5000]:
        line = HEADER.replace(b"cse ", b"cse{path=" + b"p" * length + b"} ")
        dump = indexed(line + BODY + line + BODY)
        assert [each.body - each.start for each in dump] == [len(line)] * 2
        assert {each.name for each in dump} == {"cse"}
        assert dump[1].same_as == 0


def test_a_line_of_five_million_bytes() -> None:
    payload = b'  %c = arith.constant dense<"0x' + b"3F80" * 1_250_000 + b'"> : tensor<1xf32>\n'
    body = b"module {\n" + payload + b"}\n\n\n"
    data = HEADER + body + HEADER + BODY
    dump = indexed(data)
    check(data, dump)
    assert len(dump) == 2
    assert dump.ir(0) == body


@pytest.mark.parametrize(
    "inside",
    [
        b'  util.global @s = "' + HEADER.rstrip() + b'"\n',
        b"  " + HEADER,
        b"x" + HEADER,
        b'  "\\0A' + HEADER,
    ],
)
def test_a_header_inside_a_line_is_text(inside: bytes) -> None:
    data = HEADER + b"module {\n" + inside + b"}\n\n"
    assert len(indexed(data)) == 1


def test_a_line_that_only_looks_like_a_header_starts_a_snapshot() -> None:
    data = HEADER + BODY + PREFIX + b"During <<CSE>> //----- //\n" + BODY
    dump = indexed(data)
    assert [each.header.when for each in dump] == ["After", None]
    assert dump[1].name == "?"
    assert dump[1].symbol == "f"
    assert dump.report().unknown_headers == 1


def test_a_cut_off_header_counts() -> None:
    dump = indexed(HEADER + BODY + HEADER[:30])
    assert len(dump) == 2
    assert dump[1].header.when is None
    assert dump.text(1) == ""
    complete = indexed(HEADER + BODY + HEADER.rstrip())
    assert complete[1].name == "cse"


def test_the_root_is_that_of_the_ir_not_of_the_noise() -> None:
    quiet = indexed(HEADER + BODY)
    noisy = indexed(HEADER + BODY + WARNING)
    assert noisy[0].symbol == "f"
    assert noisy[0].content == quiet[0].content
    assert noisy.text(0) == quiet.text(0)


def test_noise_does_not_make_a_body_distinct() -> None:
    data = HEADER + BODY + HEADER + BODY + WARNING + HEADER + BODY
    assert [each.same_as for each in indexed(data)] == [None, 0, 0]


def test_a_crash_in_the_middle_of_a_line() -> None:
    data = HEADER + BODY[:30] + CRASH
    dump = indexed(data)
    assert dump.text(0) == BODY[:30].decode()
    assert [each.kind for each in dump.noise] == ["crash"]


def test_broken_header_of_a_symbol_with_a_newline(samples: Path) -> None:
    data = (samples / "dumps" / "symbols.txt").read_bytes()
    dump = indexed(data)
    check_parts = b"".join(dump.parts()) == data
    assert check_parts
    assert [each.header.symbol for each in dump] == [
        "weird // -----// IR Dump After X: y //----- //",
        "a$b.c",
        "a::b",
        'say "hi"',
        "two\nlines",
    ]
    assert dump.text(4).startswith("module {")


def test_the_collector_is_left_as_it_was() -> None:
    import gc

    for was in (False, True):
        (gc.enable if was else gc.disable)()
        indexed(HEADER + BODY)
        assert gc.isenabled() == was


@pytest.mark.parametrize("sample", ["op-scope", "module-scope", "old-op-scope", "old-module-scope"])
def test_samples_of_both_compilers(samples: Path, sample: str) -> None:
    data = (samples / "dumps" / f"{sample}.txt").read_bytes()
    dump = indexed(data)
    check(data, dump)
    assert not dump.noise
    assert {each.header.when for each in dump} == {"After"}
    assert {each.header.op is not None for each in dump} == {"module-scope" in sample}
    roots = {each.op for each in dump}
    assert roots == ({"module"} if "module-scope" in sample else {"module", "util.func"})


def test_nothing_is_kept_open(tmp_path: Path) -> None:
    path = tmp_path / "dump.txt"
    path.write_bytes(HEADER + BODY)
    source = FileSource(path)
    index(source)
    source.close()
    with path.open("r+b") as stream:  # on Windows a mapping would forbid this
        stream.truncate(3)
    assert index_module.index(FileSource(path)).snapshots == ()
