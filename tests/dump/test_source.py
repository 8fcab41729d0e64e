"""Bytes from files, pipes and memory."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from iree_layers.dump.source import FileSource, MemorySource, Source, buffer_of, spool
from iree_layers.errors import DumpError

DATA = bytes(range(256)) * 40


@pytest.fixture(params=["memory", "file", "spooled"])
def source(request: pytest.FixtureRequest, tmp_path: Path):
    if request.param == "memory":
        made: Source = MemorySource(DATA)
    elif request.param == "file":
        (tmp_path / "dump.txt").write_bytes(DATA)
        made = FileSource(tmp_path / "dump.txt")
    else:
        made = spool(io.BytesIO(DATA), "stdin")
    yield made
    made.close()
    made.close()


def test_reads_ranges(source: Source) -> None:
    assert source.size == len(DATA)
    assert source.read(0, source.size) == DATA
    assert source.read(300, 310) == DATA[300:310]
    assert source.read(5, 5) == b""


def test_buffer_holds_all(source: Source) -> None:
    with buffer_of(source) as data:
        assert bytes(data[:]) == DATA
    assert source.read(1, 3) == DATA[1:3]


def test_an_empty_file_can_be_searched(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    source = FileSource(tmp_path / "empty")
    with buffer_of(source) as data:
        assert len(data) == 0
    source.close()


@pytest.mark.parametrize("size", [10, len(DATA) + 5])
def test_a_file_that_was_written_to_is_an_error_not_a_crash(tmp_path: Path, size: int) -> None:
    """Reading a mapping of a truncated file kills the process; this must raise."""
    path = tmp_path / "dump.txt"
    path.write_bytes(DATA)
    source = FileSource(path)
    assert source.read(0, 4) == DATA[:4]
    with path.open("r+b") as stream:
        stream.truncate(size)
    with pytest.raises(DumpError, match=r"changed after it was opened.*\n.*next: open it again"):
        source.read(0, 4)
    source.close()


def test_a_file_may_be_renamed_or_removed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "dump.txt"
    path.write_bytes(DATA)
    source = FileSource(path)
    path.unlink()
    assert source.read(0, 4) == DATA[:4]
    source.close()


def test_reading_a_closed_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "dump.txt").write_bytes(DATA)
    source = FileSource(tmp_path / "dump.txt")
    source.close()
    with pytest.raises(DumpError, match="closed"):
        source.read(0, 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_copied(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, DATA[:4000])
    os.close(write)
    with open(read, "rb") as stream:
        source = spool(stream, "pipe")
    assert source.read(0, source.size) == DATA[:4000]
    source.close()
