from __future__ import annotations

import os
import platform
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from iree_layers.errors import RunError
from iree_layers.execute.array import to_input
from iree_layers.execute.engine import Job
from iree_layers.execute.module import Module, open_module
from iree_layers.execute.session import Session

ONE = np.ones(4, np.float32)


@pytest.fixture
def session() -> Iterator[Session]:
    mine = Session()
    yield mine
    mine.close()


def job(module: Module, *inputs: object) -> Job:
    return Job(
        module.digest, module.origin, None, tuple(map(to_input, inputs)), ("local-sync",), ()
    )


def works(session: Session, add: Path) -> bool:
    module = open_module(add)
    (result,) = session.call(job(module, ONE), module)
    return bool((result == 2 * ONE).all())


def test_one_worker_serves_many_calls(session: Session, add: Path) -> None:
    assert session.pid is None
    assert works(session, add)
    first = session.pid
    assert works(session, add)
    assert session.pid == first


def test_machine_code_that_crashes_takes_only_the_worker(
    session: Session, add: Path, with_member: Callable[..., bytes]
) -> None:
    name = next(one for one in ZipFile(add).namelist() if one.endswith(".so"))
    illegal = b"\x0f\x0b" if platform.machine() in ("x86_64", "AMD64") else b"\0\0"
    data = with_member(add.read_bytes(), name, lambda elf: _fill_text(elf, illegal))
    broken = open_module(data)
    assert works(session, add)
    with pytest.raises(RunError) as caught:
        session.call(job(broken, ONE), broken)
    assert "was killed by signal" in caught.value.found
    assert "Target.HOST" in caught.value.todo
    assert works(session, add)


def _fill_text(elf: bytes, code: bytes) -> bytes:
    """The ELF file with every executable segment filled with one instruction."""
    headers = int.from_bytes(elf[32:40], "little")
    size, count = (int.from_bytes(elf[i : i + 2], "little") for i in (54, 56))
    raw = bytearray(elf)
    for at in range(headers, headers + size * count, size):
        kind, flags = (int.from_bytes(elf[i : i + 4], "little") for i in (at, at + 4))
        start, _, _, length = (
            int.from_bytes(elf[i : i + 8], "little") for i in range(at + 8, at + 40, 8)
        )
        if kind == 1 and flags & 1:
            raw[start : start + length] = (code * length)[:length]
    return bytes(raw)


def test_a_call_that_never_ends_is_stopped(
    session: Session, add: Path, compiled: Callable[..., Path]
) -> None:
    module = open_module(compiled("forever"))
    assert works(session, add)
    with pytest.raises(RunError, match=r"did not end within 0\.5 seconds"):
        session.call(job(module, 3), module, timeout=0.5)
    assert works(session, add)
    assert session.call(job(open_module(add), ONE), open_module(add), timeout=60)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_comes_through(
    session: Session, add: Path, compiled: Callable[..., Path]
) -> None:
    module = open_module(compiled("forever"))
    assert works(session, add)
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        session.call(job(module, 3), module)
    timer.join()
    assert works(session, add)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_worker_that_was_killed_is_replaced(session: Session, add: Path) -> None:
    assert works(session, add)
    assert session.pid is not None
    os.kill(session.pid, signal.SIGKILL)
    os.waitid(os.P_PID, session.pid, os.WEXITED | os.WNOWAIT)
    assert works(session, add)


def test_a_refusal_keeps_the_worker(session: Session, add: Path) -> None:
    module = open_module(add)
    assert works(session, add)
    first = session.pid
    with pytest.raises(RunError, match="argument 0 of add") as caught:
        session.call(job(module, ONE[:3]), module)
    assert (caught.value.expected, session.pid) == ("4xf32", first)


def test_other_driver_settings_need_another_worker(
    session: Session, add: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert works(session, add)
    first = session.pid
    monkeypatch.setenv("VK_DRIVER_FILES", "/no/such/driver.json")
    module = open_module(add)
    vulkan = Job(module.digest, "add", None, (to_input(ONE),), ("vulkan",), ())
    with pytest.raises(RunError, match="cannot be opened"):
        session.call(vulkan, module)
    assert session.pid != first


def test_files_beside_the_notebook_do_not_replace_modules(
    session: Session, add: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("random", "array", "numpy", "struct"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('the wrong module')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    assert works(session, add)


def test_threads_wait_for_each_other(session: Session, add: Path) -> None:
    results: list[bool] = []
    threads = [
        threading.Thread(target=lambda: results.append(works(session, add))) for _ in range(8)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert results == [True] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_after_a_fork_the_child_has_a_worker_of_its_own(session: Session, add: Path) -> None:
    assert works(session, add)
    first = session.pid
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # JAX, where it is imported, warns of every fork
        child = os.fork()
    if child == 0:
        good = works(session, add) and session.pid != first
        session.close()
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert works(session, add)
    assert session.pid == first


def test_a_closed_session_opens_again(session: Session, add: Path) -> None:
    assert works(session, add)
    session.close()
    assert session.pid is None
    session.close()
    assert works(session, add)
