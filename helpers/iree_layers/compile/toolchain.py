"""The tools of the IREE wheels: where they are, which version, and how one is run.

Every tool runs in a subprocess, so that a crash in native code is an exception here and never the
end of a notebook kernel. What is run is a `Command`, and `str(command)` is the line that a terminal
takes. The binaries are those inside the wheels (`iree/compiler/_mlir_libs/`,
`iree/_runtime_libs/` of iree-base-compiler and iree-base-runtime 3.13.0): the scripts in `bin/`
start a Python first, which costs 0.1–0.3 s each time.
"""

from __future__ import annotations

import difflib
import functools
import importlib.metadata
import importlib.util
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CompileError, CompilerCrash, LayersError, RunError, ToolMissing
from .advice import advice
from .command import Command, Ran, exit_text, late_text, signal_name

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "Command",
    "Ran",
    "Versions",
    "c_compiler",
    "exit_text",
    "failure",
    "late_text",
    "run_tool",
    "signal_name",
    "stop_group",
    "tool",
    "versions",
]

_COMPILER_TOOLS = ("iree-compile", "iree-opt", "iree-link", "iree-lld", "iree-import-onnx")
_SUFFIX = ".exe" if os.name == "nt" else ""


@dataclass(frozen=True)
class Versions:
    """Versions of what takes part in a trace; '' or None where it is not installed."""

    python: str
    compiler: str
    "of iree-base-compiler, e.g. `3.13.0`"
    compiler_revision: str
    "git revision that the compiler was built from, 40 hex digits"
    runtime: str
    "of iree-base-runtime"
    turbine: str | None
    torch: str | None

    def __str__(self) -> str:
        revision = f" @ {self.compiler_revision[:8]}" if self.compiler_revision else ""
        parts = [
            f"Python {self.python}",
            f"iree-base-compiler {self.compiler or 'missing'}{revision}",
            f"iree-base-runtime {self.runtime or 'missing'}",
            f"iree-turbine {self.turbine or 'missing'}",
            f"torch {self.torch or 'missing'}",
        ]
        return ", ".join(parts)


def tool(name: str) -> Path:
    """Full path of a tool: the wheels' binary, else this environment's script, else on PATH.

    Raises:
        ToolMissing: with the nearest name that exists and the package that has the tool.
    """
    folders = [*_wheel_folders(), Path(sys.executable).parent]
    for folder in folders:
        path = folder / (name + _SUFFIX)
        if path.is_file() and os.access(path, os.X_OK):
            return path
    on_path = shutil.which(name)
    if on_path:
        return Path(on_path)
    known = sorted({path.stem for folder in folders for path in folder.glob("iree-*")})
    near = difflib.get_close_matches(name, known, n=1)
    package = "iree-base-compiler" if name in _COMPILER_TOOLS else "iree-base-runtime"
    raise ToolMissing(
        f"the tool {name!r} is not installed here",
        expected=f"one of {', '.join(known)}" if known else f"{name} of the package {package}",
        todo=f"did you mean {near[0]!r}?" if near else f"pip install {package}==3.13.0",
    )


def run_tool(
    name: str,
    *args: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = 600,
    check: bool = True,
) -> Ran:
    """Run one tool to its end and return what it wrote.

    Args:
        name: bare name, as `tool` takes it.
        args: its arguments.
        cwd: folder to run in.
        env: variables on top of the inherited ones.
        timeout: seconds until it and its children are killed; None waits for ever.
        check: raise when the exit is not 0.

    Raises:
        ToolMissing: there is no such tool.
        CompileError: (CompilerCrash after a signal) a compiler tool failed, or took too long.
        RunError: the same for any other tool.
    """
    command = Command((name, *args), cwd, tuple((env or {}).items()))
    started = time.perf_counter()
    child = subprocess.Popen(
        [tool(name), *args],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = child.communicate(timeout=timeout)
        late = False
    except subprocess.TimeoutExpired:
        stop_group(child)
        out, err = child.communicate()
        late = True
    except BaseException:
        stop_group(child)
        child.communicate()
        raise
    seconds = time.perf_counter() - started
    ran = Ran(command, child.returncode, _text(out), _text(err), seconds)
    if late or (check and ran.exit != 0):
        raise failure(ran, timeout=timeout if late else None)
    return ran


def failure(ran: Ran, *, timeout: float | None = None) -> LayersError:
    """The error that says why a tool ended badly, with its command and first lines of stderr.

    Args:
        ran: what is left of the run.
        timeout: the seconds after which we ended it ourselves, if we did.
    """
    name = ran.command.argv[0]
    found = f"{name} {exit_text(ran.exit) if timeout is None else late_text(timeout)}"
    excerpt = _first_lines(ran.stderr or ran.stdout)
    if excerpt:
        found += f":\n{excerpt}"
    if name not in _COMPILER_TOOLS:
        return RunError(found, command=str(ran.command))
    kind = CompilerCrash if ran.exit < 0 and timeout is None else CompileError
    todo = advice(ran.stderr)
    return kind(found, exit=ran.exit, stderr=ran.stderr, todo=todo, command=str(ran.command))


def stop_group(child: subprocess.Popen[bytes]) -> None:
    """Kill a child started with `start_new_session=True`, and its children, and wait for it."""
    if os.name == "posix" and child.returncode is None:
        # Until the child is reaped its number is not given to others, so this hits nobody else.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    if child.poll() is None:
        child.kill()
    child.wait()


def c_compiler() -> Path | None:
    """A C compiler on PATH, the one that `CC` names first; None if there is none."""
    wanted = shlex.split(os.environ.get("CC", ""))[:1]
    for name in [*wanted, "cc", "gcc", "clang"]:
        found = shutil.which(name)
        if found:
            return Path(found)
    return None


@functools.cache
def versions() -> Versions:
    """Versions of Python and of the packages that take part, read without importing them."""
    return Versions(
        python=platform.python_version(),
        compiler=_version("iree-base-compiler") or "",
        compiler_revision=_compiler_revision(),
        runtime=_version("iree-base-runtime") or "",
        turbine=_version("iree-turbine"),
        torch=_version("torch"),
    )


def _wheel_folders() -> list[Path]:
    return [
        *(folder / "_mlir_libs" for folder in _package_folders("iree.compiler")),
        *_package_folders("iree._runtime_libs"),
    ]


@functools.cache
def _package_folders(name: str) -> tuple[Path, ...]:
    # find_spec of `iree.compiler` imports only the namespace `iree`, not the compiler's library.
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return ()
    return tuple(Path(folder) for folder in (spec and spec.submodule_search_locations) or ())


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _compiler_revision() -> str:
    # 3.13.0: REVISIONS = {"IREE": "89ece87b89852100c0a4ac3d515e14842d090967"}
    revision = re.compile(r'"IREE": "([0-9a-f]+)"')
    for folder in _package_folders("iree.compiler"):
        with suppress(OSError):
            found = revision.search((folder / "version.py").read_text())
            if found:
                return found[1]
    return ""


def _first_lines(text: str, lines: int = 12, width: int = 200) -> str:
    kept = [line for line in text.splitlines() if line.strip()]
    shown = [line if len(line) <= width else line[:width] + " …" for line in kept[:lines]]
    if len(kept) > lines:
        shown.append(f"… {len(kept) - lines} more lines")
    return "\n".join(f"    {line}" for line in shown)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
