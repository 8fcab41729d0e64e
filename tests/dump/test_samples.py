"""The manifest of the dumps and the files beside it agree."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from iree_layers.dump.index import index
from iree_layers.dump.source import FileSource


@pytest.fixture
def folder(samples: Path) -> Path:
    return samples / "dumps"


def test_each_file_is_listed_and_each_listed_file_is_here(folder: Path) -> None:
    manifest = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))
    listed = {each["file"] for each in manifest["sample"] + manifest["twin"]}
    assert listed == {each.name for each in folder.glob("*.txt*")}
    for each in manifest["sample"]:
        assert each["compiler"]
        assert each["command"].startswith("iree-compile ")
        assert (folder / "programs" / each["command"].split()[1]).is_file()


def test_samples_are_small(folder: Path) -> None:
    sizes = {each.name: each.stat().st_size for each in folder.rglob("*") if each.is_file()}
    assert max(sizes.values()) < 60_000
    assert sum(sizes.values()) < 400_000


def test_every_byte_of_every_sample_is_accounted_for(folder: Path) -> None:
    for path in sorted(folder.glob("*.txt")):
        source = FileSource(path)
        dump = index(source)
        assert b"".join(dump.parts()) == path.read_bytes(), path.name
        assert dump.unattributed_bytes == 0, path.name
        source.close()
