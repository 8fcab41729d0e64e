"""Compiled modules for the tests, each made by the real compiler once per session."""

from __future__ import annotations

import functools
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from iree_layers.compile.smoke import smoke
from iree_layers.compile.target import Target
from iree_layers.compile.toolchain import run_tool

DATA = Path(__file__).parent / "data"
KEEP_F64 = "--iree-input-demote-f64-to-f32=false"

Compile = Callable[..., Path]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """compiled("add", *flags) -> path of the module; HOST flags if none are given."""
    folder = tmp_path_factory.mktemp("modules")

    @functools.cache
    def make(name: str, *flags: str) -> Path:
        out = folder / f"{name}_{len(list(folder.iterdir()))}" / f"{name}.vmfb"
        out.parent.mkdir()
        run_tool(
            "iree-compile", f"{name}.mlir", "-o", str(out), *(flags or Target.HOST.flags), cwd=DATA
        )
        return out

    return make


@pytest.fixture(scope="session")
def many(compiled: Compile) -> Path:
    return compiled("many", *Target.HOST.flags, KEEP_F64)


@pytest.fixture(scope="session")
def add(compiled: Compile) -> Path:
    return compiled("add")


@pytest.fixture(scope="session")
def old() -> Path:
    # iree-compile 3.9.0 add.mlir --iree-hal-target-device=local
    #     --iree-hal-local-target-device-backends=vmvx -o add_by_3.9.0.vmfb
    return DATA / "add_by_3.9.0.vmfb"


@pytest.fixture(scope="session")
def weights_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """weights_file(w=array) -> path of an .irpa with those keys."""
    import iree.runtime

    folder = tmp_path_factory.mktemp("weights")
    counter: Iterator[int] = iter(range(1000))

    def write(**arrays: np.ndarray) -> Path:
        path = folder / f"{next(counter)}.irpa"
        iree.runtime.save_archive_file(arrays, str(path))
        return path

    return write


@pytest.fixture(scope="session")
def vulkan() -> Target:
    found = smoke("vulkan")
    if not found.works or found.target is None:
        pytest.skip(f"no Vulkan here: {found.detail}")
    return found.target


@pytest.fixture(scope="session")
def x() -> np.ndarray:
    return np.arange(32, dtype=np.float32).reshape(4, 8)


@pytest.fixture(scope="session")
def w() -> np.ndarray:
    return np.arange(128, dtype=np.float32).reshape(8, 16) / 8


@pytest.fixture(scope="session")
def with_member() -> Callable[..., bytes]:
    return with_member_changed


def with_member_changed(module: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """A module with other bytes in one member, of the same length, and with the right checksum."""
    raw = bytearray(module)
    with zipfile.ZipFile(io.BytesIO(module)) as archive:
        info = archive.getinfo(name)
        old, directory = archive.read(name), archive.start_dir
    label, extra = struct.unpack_from("<HH", raw, info.header_offset + 26)
    start = info.header_offset + 30 + label + extra
    new = change(old)
    assert len(new) == len(old)
    raw[start : start + len(new)] = new
    before, after = struct.pack("<I", info.CRC), struct.pack("<I", zlib.crc32(new))
    for place in (info.header_offset, raw.index(name.encode(), directory) - 46):
        where = raw.index(before, place)
        raw[where : where + 4] = after
    return bytes(raw)
