"""The three channels give the same bytes, whatever a program does to its stderr."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from iree_layers.compile import channel
from iree_layers.compile.shim import shim
from iree_layers.compile.sink import Drained, drain
from iree_layers.compile.toolchain import c_compiler

from .test_toolchain import is_gone

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[Drained, bytes]]

CC = c_compiler()
pytestmark = pytest.mark.skipif(
    os.name != "posix" or CC is None, reason="the program that writes is in C"
)


@pytest.fixture(scope="session")
def writers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("writers") / "writers"
    source = Path(__file__).with_name("writers.c")
    subprocess.run([str(CC), "-O1", "-pthread", "-o", str(made), str(source)], check=True)
    return made


@pytest.fixture(params=["shim", "pipe", "file"])
def run(
    request: pytest.FixtureRequest,
    writers: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Run `writers` through one channel."""
    how = request.param
    if how == "shim" and not shim().path:
        pytest.skip(f"no fast capture here: {shim().why}")
    if how != "shim":
        monkeypatch.setenv("IREE_LAYERS_PLAIN", "1")
    if how == "file":
        monkeypatch.setattr(channel, "Pipe", channel.File)

    def running(*args: str, **options: object) -> tuple[Drained, bytes]:
        dump = tmp_path / "dump"
        drained = drain([writers, *args], dump, **options)  # type: ignore[arg-type]
        assert drained.how == how
        return drained, dump.read_bytes()

    return running


def lines_of(*names: str) -> Counter[bytes]:
    letters = bytes(ord("a") + i % 23 for i in range(200))
    return Counter(
        b"%s %d %s" % (name.encode(), i, letters[: i * 7919 % 200])
        for name in names
        for i in range(3000)
    )


def test_every_way_to_write_arrives_in_order(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    drained, dump = run("ways", stdout=out)
    assert drained.exit == 0
    assert dump.decode() == (
        "write\nfprintf 42\nwritev\nfputs\ncperror: No such file or directory\nerrno is kept: 1\n"
    )
    assert out.read_text() == "to stdout\n"


def test_threads_never_mix_or_lose_a_line(run: Run) -> None:
    _, dump = run("threads")
    assert dump.endswith(b"\n")
    assert Counter(dump.splitlines()) == lines_of("t0", "t1", "t2", "t3")


def test_children_share_the_dump(run: Run) -> None:
    drained, dump = run("family")
    assert drained.exit == 0
    assert Counter(dump.splitlines()) == lines_of("parent", "forked", "started")
    own = [line for line in dump.splitlines() if line.startswith(b"parent")]
    assert own == [*lines_of("parent")], "the lines of one writer stay in their order"


def test_a_file_put_in_the_place_of_stderr_gets_its_own(run: Run, tmp_path: Path) -> None:
    drained, dump = run("detour", str(tmp_path / "other"))
    assert (drained.exit, dump) == (0, b"before\nafter\nend\n")
    assert (tmp_path / "other").read_bytes() == b"elsewhere\n"


@pytest.mark.parametrize(
    ("how", "exit", "tail"), [("abort", -6, b"about to die"), ("kill", -9, b"")]
)
def test_a_crash_loses_nothing(run: Run, how: str, exit: int, tail: bytes) -> None:
    drained, dump = run(how)
    assert (drained.exit, drained.late) == (exit, False)
    assert dump.endswith(tail)
    whole = dump.removesuffix(tail)
    assert Counter(whole.splitlines()) == lines_of("last")


def test_a_timeout_ends_all_and_keeps_all(run: Run) -> None:
    drained, dump = run("stay", timeout=1)
    assert (drained.exit, drained.late) == (-9, True)
    whole = b"".join(line + b"\n" for line in lines_of("staying"))
    assert dump
    assert whole.startswith(dump), "all of it, unless the machine is very busy"


def test_a_child_left_behind_ends_with_its_parent(run: Run, tmp_path: Path) -> None:
    drained, dump = run("leave", stdout=tmp_path / "out")
    assert (drained.exit, dump) == (0, b"gone\n")
    assert drained.seconds < 60, "it would wait for ever"
    assert is_gone(int((tmp_path / "out").read_text()))


def test_ctrl_c_ends_the_child_and_keeps_what_it_wrote(run: Run, tmp_path: Path) -> None:
    whole = b"".join(line + b"\n" for line in lines_of("staying"))

    def press(size: int) -> None:
        if size == len(whole):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run("stay", tick=press, timeout=60)
    assert (tmp_path / "dump").read_bytes() == whole


def test_a_long_dump_is_the_same_byte_for_byte(run: Run) -> None:
    letters = bytes(ord("a") + i % 23 for i in range(70000))
    expected, n, total = [], 1, 0
    while total < 40 << 20:
        n = n * 5 % 69997 + 1
        expected.append(letters[:n])
        total += n
    _, dump = run("flood")
    assert dump == b"".join(expected)


def test_a_program_that_cannot_be_started_is_an_error(run: Run, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        drain([tmp_path / "nowhere"], tmp_path / "dump")
    with pytest.raises(OSError, match="no-folder"):
        run("ways", cwd=tmp_path / "no-folder")


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("windows", [0, 1, 2])
@pytest.mark.parametrize("what", ["threads", "flood"])
def test_a_full_disk_sends_the_rest_another_way(
    writers: Path, tmp_path: Path, windows: int, what: str
) -> None:
    full, roomy = tmp_path / "full", tmp_path / "roomy"
    assert drain([writers, what], full, windows=windows).exit == 0
    assert drain([writers, what], roomy).exit == 0
    if what == "flood":
        assert full.read_bytes() == roomy.read_bytes()
    else:
        assert Counter(full.read_bytes().splitlines()) == Counter(roomy.read_bytes().splitlines())


@pytest.mark.usefixtures("fast")
def test_the_dump_can_be_read_while_it_grows(writers: Path, tmp_path: Path) -> None:
    whole = b"".join(line + b"\n" for line in lines_of("staying"))
    seen: list[bytes] = []

    def look(size: int) -> None:
        if seen and len(seen[-1]) == len(whole):
            raise KeyboardInterrupt
        with (tmp_path / "dump").open("rb") as file:
            seen.append(file.read(size))

    with pytest.raises(KeyboardInterrupt):
        drain([writers, "stay"], tmp_path / "dump", tick=look, timeout=60)
    # What is reserved and not yet copied reads as NUL.
    assert all(whole.startswith(part.rstrip(b"\0")) for part in seen)


@pytest.mark.usefixtures("fast")
def test_a_static_program_is_collected_another_way(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        '#include <unistd.h>\nint main(void) { return write(2, "static\\n", 7) != 7; }\n'
    )
    made = tmp_path / "a"
    built = subprocess.run([str(CC), "-static", "-o", made, source], check=False)
    if built.returncode != 0:
        pytest.skip("no static libc here")
    drained = drain([made], tmp_path / "dump")
    assert (drained.how, (tmp_path / "dump").read_bytes()) == ("file", b"static\n")
