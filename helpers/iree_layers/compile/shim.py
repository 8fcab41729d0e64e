"""The preloaded library that makes a capture fast: built once, kept in the user's cache, checked.

`shim()` gives the library made from shim.c, or says why there is none; then sink.py takes the
patient pipe, with the same bytes and more time. What is on disk afterwards:

    $XDG_CACHE_HOME/iree-layers/  (or ~/.cache/iree-layers/)   mode 0700, ours
        shim-<key>-<sha256>.so    key: source, compiler and machine; sha256: of the library itself

A library is used only if it is a regular file of ours that nobody else can write, and still has the
sha256 in its name. Linux with glibc and a C compiler only; IREE_LAYERS_PLAIN=1 switches it off.
"""

from __future__ import annotations

import functools
import hashlib
import mmap
import os
import platform
import stat
import struct
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .toolchain import c_compiler

__all__ = ["WINDOWS", "Control", "Shim", "build_shim", "cache_folder", "preload", "shim"]

SOURCE = Path(__file__).with_name("shim.c")
_BUILD = ("-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror")
WINDOWS = 65536
_NOTHING_LOST = 2**64 - 1


@dataclass(frozen=True)
class Shim:
    """The library, or the reason why there is none."""

    path: Path | None
    why: str
    "what is in the way, in words; '' if nothing is"


class Control:
    """The page that a run shares with the shim: how much of the dump file is used."""

    # used, end, attached, device, inode, limit: `struct control` in shim.c
    _HEAD = struct.Struct("=6Q")

    def __init__(self, path: Path, stderr: int, *, windows: int = WINDOWS) -> None:
        """Create the file.

        Args:
            path: a new file.
            stderr: descriptor that the child gets as fd 2.
            windows: how many 16 MiB windows may be used; fewer stand for a full disk in tests.
        """
        found = os.fstat(stderr)
        head = self._HEAD.pack(0, _NOTHING_LOST, 0, found.st_dev, found.st_ino, windows)
        with path.open("xb") as file:
            file.write(head + bytes(WINDOWS))
        with path.open("rb") as file:
            self._shared = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    @property
    def size(self) -> int:
        """Bytes of the dump that are in the file now."""
        used, end, *_ = self._HEAD.unpack_from(self._shared)
        return int(min(used, end))

    @property
    def attached(self) -> int:
        """How many processes have collected their stderr through the shim."""
        return int(self._HEAD.unpack_from(self._shared)[2])

    def close(self) -> None:
        """Let go of the mapping."""
        self._shared.close()


def shim() -> Shim:
    """The library to preload, built when it is not there yet; never raises."""
    if os.environ.get("IREE_LAYERS_PLAIN", "0") not in ("", "0"):
        return Shim(None, "IREE_LAYERS_PLAIN is set")
    if sys.platform != "linux" or platform.libc_ver()[0] != "glibc":
        return Shim(None, "it needs Linux with glibc")
    compiler = c_compiler()
    if compiler is None:
        return Shim(None, "there is no C compiler on PATH")
    try:
        return _shim_in(cache_folder(), compiler)
    except (OSError, RuntimeError) as problem:
        return Shim(None, f"the cache folder cannot be used: {problem}")


def cache_folder() -> Path:
    """Where the library is kept; not created here.

    Raises:
        RuntimeError: there is no home folder.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    return root / "iree-layers"


def preload(library: Path, control: Path, dump: Path) -> dict[str, str]:
    """Environment variables that make a child and its children collect into `dump`."""
    before = os.environ.get("LD_PRELOAD", "")
    return {
        "LD_PRELOAD": f"{library}:{before}" if before else str(library),
        "IREE_LAYERS_CONTROL": str(control),
        "IREE_LAYERS_DUMP": str(dump),
    }


@functools.cache
def _shim_in(folder: Path, compiler: Path) -> Shim:
    if set(str(folder)) & set(" :$"):
        # The dynamic linker splits LD_PRELOAD at blanks and colons and has no way to quote them.
        return Shim(None, f"the path of the cache folder has a blank, a colon or a $: {folder}")
    why = _private(folder)
    if why:
        return Shim(None, why)
    key = _key(compiler)
    for known in folder.glob(f"shim-{key}-*.so"):
        if _is_sound(known):
            return Shim(known, "")
        with suppress(OSError):
            known.unlink()
    return build_shim(folder, compiler, key)


def build_shim(folder: Path, compiler: Path, key: str, source: Path = SOURCE) -> Shim:
    """Compile, try out, and only then put the library at its final name."""
    with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch:
        made = Path(scratch) / "shim.so"
        command = [str(compiler), *_BUILD, "-o", str(made), str(source)]
        try:
            built = subprocess.run(command, capture_output=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired) as problem:
            return Shim(None, f"{compiler.name} does not run: {problem}")
        if built.returncode != 0:
            said = built.stderr.decode(errors="replace").strip().splitlines()
            return Shim(None, f"{compiler.name} refused shim.c: {' '.join(said[:3])}")
        made.chmod(0o600)
        why = _self_test(made, Path(scratch))
        if why:
            return Shim(None, why)
        digest = hashlib.sha256(made.read_bytes()).hexdigest()
        final = folder / f"shim-{key}-{digest}.so"
        made.rename(final)
    return Shim(final, "")


def _private(folder: Path) -> str:
    """Make the folder, or say why what is there is not safe to load code from."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    above = folder.parent.stat()
    if above.st_mode & stat.S_IWOTH and not above.st_mode & stat.S_ISVTX:
        return f"anyone can write to {folder.parent}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is not a folder (a link is not followed)"
    if found.st_uid != os.geteuid():
        return f"{folder} belongs to another user"
    if found.st_mode & 0o022:
        return f"others can write to {folder} (chmod 700 makes it private)"
    if found.st_mode & 0o077:
        folder.chmod(0o700)
    return ""


def _key(compiler: Path) -> str:
    found = compiler.stat()
    parts = [
        hashlib.sha256(SOURCE.read_bytes()).hexdigest(),
        f"{compiler.resolve()} {found.st_size} {found.st_mtime_ns}",
        f"{platform.machine()} {'-'.join(platform.libc_ver())} {' '.join(_BUILD)}",
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _is_sound(library: Path) -> bool:
    """The file is ours alone, regular, and its bytes are those that were tried out."""
    try:
        fd = os.open(library, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    with open(fd, "rb") as file:
        found = os.fstat(fd)
        ours = found.st_uid == os.geteuid() and not found.st_mode & 0o022
        if not ours or not stat.S_ISREG(found.st_mode):
            return False
        return hashlib.file_digest(file, "sha256").hexdigest() == library.stem.rpartition("-")[2]


def _self_test(library: Path, scratch: Path) -> str:
    """Let a tiny child write known bytes through the library; '' if they arrive."""
    known = b"known bytes\n"
    dump, leftover, control = (scratch / name for name in ("dump", "leftover", "control"))
    dump.touch()
    with leftover.open("wb") as stderr:
        shared = Control(control, stderr.fileno())
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", f"import os; os.write(2, {known!r})"],
            env={**os.environ, **preload(library, control, dump)},
            stderr=stderr,
            timeout=60,
            check=False,
        )
    arrived = dump.read_bytes()[: shared.size]
    shared.close()
    if arrived == known and leftover.stat().st_size == 0:
        return ""
    said = leftover.read_text(errors="replace").strip()
    return f"its self-test failed: {said or 'the bytes did not arrive'}"
