from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from iree_layers.compile import scratch as scratches
from iree_layers.compile.scratch import Scratch
from iree_layers.errors import ProgramError

posix = pytest.mark.skipif(os.name != "posix", reason="needs locks and signals")


def make_old(folder: Path) -> None:
    then = time.time() - 3600
    os.utime(folder, (then, then))


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def test_it_is_deleted_with_its_owner_and_its_paths() -> None:
    owner = Scratch()
    (owner.path / "a").touch()
    held = owner.hold(owner.path / "a")
    folder = owner.path
    del owner
    gc.collect()
    assert held.is_file()
    assert pickle.loads(pickle.dumps(held)) == Path(held)
    assert repr(held) == repr(Path(held))
    del held
    gc.collect()
    assert not folder.exists()


def test_a_named_folder_stays(tmp_path: Path) -> None:
    owner = Scratch(tmp_path / "a" / "b")
    del owner
    gc.collect()
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "a" / "b" / "file").touch()
    with pytest.raises(ProgramError, match="not empty: it has file"):
        Scratch(tmp_path / "a" / "b")


@posix
def test_what_a_killed_process_left_is_swept(temp: Path) -> None:
    code = (
        "from iree_layers.compile.scratch import Scratch; s = Scratch(); print(s.path, flush=True)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", f"{code}; input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout
        left = Path(child.stdout.readline().strip())
        make_old(left)
        scratches._sweep.__wrapped__()
        assert left.is_dir(), "its owner is alive"
        child.send_signal(signal.SIGKILL)
        child.wait()
    scratches._sweep.__wrapped__()
    assert left.parent == temp
    assert not left.exists()


@posix
def test_fresh_and_foreign_folders_are_left_alone(temp: Path, tmp_path: Path) -> None:
    fresh, other = temp / "iree-layers-run-fresh", temp / "somebody-else"
    target = tmp_path / "precious"
    for folder in (fresh, other, target):
        folder.mkdir()
    make_old(other)
    link = temp / "iree-layers-run-link"
    link.symlink_to(target)
    os.utime(link, (0, 0), follow_symlinks=False)
    scratches._sweep.__wrapped__()
    assert all(folder.is_dir() for folder in (fresh, other, target))
