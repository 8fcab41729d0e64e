from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from iree_layers.compile import shim as shims
from iree_layers.compile.shim import build_shim, cache_folder, preload, shim
from iree_layers.compile.sink import drain
from iree_layers.compile.toolchain import c_compiler

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("fast")

CC = c_compiler() or Path("cc")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shims._shim_in.cache_clear()
    yield tmp_path / "cache" / "iree-layers"
    shims._shim_in.cache_clear()


def again() -> shims.Shim:
    """What a new process would find."""
    shims._shim_in.cache_clear()
    return shim()


def says(text: str, tmp_path: Path) -> tuple[str, bytes]:
    dump = tmp_path / "dump"
    code = f"import os; os.write(2, {text.encode()!r})"
    return drain([sys.executable, "-S", "-c", code], dump).how, dump.read_bytes()


def test_it_is_built_once_in_a_folder_of_ours(cache: Path) -> None:
    first = shim().path
    assert first is not None
    assert first.parent == cache
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    made = first.stat()
    assert again().path == first
    assert first.stat().st_ino == made.st_ino
    assert [path.name for path in cache.iterdir()] == [first.name]


def test_a_library_whose_bytes_changed_is_not_used(cache: Path) -> None:
    path = shim().path
    assert path is not None
    good = path.read_bytes()
    path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    assert again().path == path
    assert path.read_bytes() == good


@pytest.mark.parametrize("how", ["link", "others may write"])
def test_a_library_that_is_not_ours_alone_is_not_used(
    cache: Path, tmp_path: Path, how: str
) -> None:
    path = shim().path
    assert path is not None
    if how == "link":
        path.rename(tmp_path / "elsewhere.so")
        path.symlink_to(tmp_path / "elsewhere.so")
    else:
        path.chmod(0o666)
    assert again().path == path
    assert not path.is_symlink()
    assert not path.stat().st_mode & 0o022


def test_a_cache_folder_that_is_a_link_is_refused(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    cache.parent.mkdir()
    cache.symlink_to(tmp_path / "real")
    found = shim()
    assert found.path is None
    assert "link" in found.why
    assert list((tmp_path / "real").iterdir()) == []
    assert says("same bytes\n", tmp_path) == ("pipe", b"same bytes\n")


def test_a_cache_folder_that_others_can_write_is_refused(cache: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    assert "others can write" in shim().why


def test_a_cache_folder_that_others_can_only_read_is_closed(cache: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o755)
    assert shim().path
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


def test_a_folder_above_that_anyone_can_write_is_refused(cache: Path) -> None:
    cache.parent.mkdir()
    cache.parent.chmod(0o777)
    assert "anyone can write" in shim().why


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_a_cache_folder_of_another_user_is_refused(cache: Path) -> None:
    cache.mkdir(parents=True, mode=0o700)
    os.chown(cache, 12345, 12345)
    assert "another user" in shim().why


def test_a_home_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    shims._shim_in.cache_clear()
    assert "cannot be used" in shim().why
    assert says("still here\n", tmp_path) == ("pipe", b"still here\n")


def test_a_path_that_ld_preload_would_split_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a b"))
    assert "blank" in shim().why


@pytest.mark.usefixtures("cache")
def test_without_a_c_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CC", raising=False)
    assert "no C compiler" in shim().why


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IREE_LAYERS_PLAIN", "1")
    assert shim() == shims.Shim(None, "IREE_LAYERS_PLAIN is set")
    monkeypatch.setenv("IREE_LAYERS_PLAIN", "0")
    assert shim().path


def test_a_source_that_does_not_compile_leaves_nothing(tmp_path: Path) -> None:
    source = tmp_path / "broken.c"
    source.write_text("int unfinished(\n")
    (tmp_path / "cache").mkdir()
    found = build_shim(tmp_path / "cache", CC, "key", source)
    assert found.path is None
    assert "refused shim.c" in found.why
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_library_that_loses_bytes_fails_its_self_test(tmp_path: Path) -> None:
    source = tmp_path / "loses.c"
    source.write_text(
        "#include <unistd.h>\n"
        "ssize_t write(int fd, const void *b, size_t n) { (void)fd; (void)b; return (ssize_t)n; }\n"
    )
    found = build_shim(tmp_path, CC, "key", source)
    assert found.path is None
    assert "self-test failed" in found.why


def test_the_cache_follows_the_xdg_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert cache_folder() == Path("/home/somebody/.cache/iree-layers")


def test_a_library_that_is_preloaded_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/lib/mine.so")
    made = preload(Path("/c/shim.so"), Path("/t/control"), Path("/t/dump"))
    assert made["LD_PRELOAD"] == "/c/shim.so:/lib/mine.so"


def test_several_processes_may_build_at_once(cache: Path) -> None:
    code = "from iree_layers.compile.shim import shim; print(shim().path)"
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    found = {child.communicate()[0].strip() for child in running}
    assert all(path.startswith(str(cache)) for path in found)
    assert [path for path in cache.iterdir() if path.suffix != ".so"] == []
