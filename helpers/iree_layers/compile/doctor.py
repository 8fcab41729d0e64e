"""What this machine has for the workbook, what is missing, and what to do about it.

`doctor()` gives a `Report` of `Check`s. What can be tried is tried: each HAL driver runs a real
dispatch in a subprocess (smoke.py). Nothing is installed, and nothing outside the temporary and
cache folders is written. Takes about two seconds.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import LayersError
from .smoke import smokes
from .toolchain import c_compiler, run_tool
from .versions import Versions, disagreements, versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .smoke import Smoke

__all__ = ["Check", "Report", "doctor"]

_GIB = 1 << 30
_NEEDED_DISK = 2 * _GIB  # the dump of a large model is 600 MB, and is stored beside itself once
_NEEDED_MEMORY = 2 * _GIB
_MARKS = {True: "ok", False: "NO", None: "--"}


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool | None
    "None: optional, and not here"
    found: str
    "what is the case, one line"
    todo: str = ""
    "what to do, '' if nothing"


@dataclass(frozen=True)
class Report:
    """All checks, in order."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """True if nothing that is needed is missing or wrong."""
        return all(check.ok is not False for check in self.checks)

    def __getitem__(self, name: str) -> Check:
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(name)

    def __str__(self) -> str:
        width = max((len(check.name) for check in self.checks), default=0)
        lines = []
        for check in self.checks:
            lines.append(f"{_MARKS[check.ok]}  {check.name:<{width}}  {check.found}")
            if check.todo and check.ok is not True:
                lines.append(f"    {'':<{width}}  → {check.todo}")
        bad = [check.name for check in self.checks if check.ok is False]
        lines.append(f"To mend: {', '.join(bad)}." if bad else "All that is needed is here.")
        return "\n".join(lines)

    __repr__ = __str__

    def as_json(self) -> dict[str, object]:
        """The same as plain values for `json.dumps`: `ok`, and `checks` with the fields of each."""
        return {"ok": self.ok, "checks": [asdict(check) for check in self.checks]}


def doctor() -> Report:
    """Look at everything; never raises because of what it finds."""
    found = versions()
    checks = [
        *_packages(found),
        *_capture(),
        *_machine(),
        *_drivers(),
        *_optional(),
    ]
    return Report(tuple(checks))


def _packages(found: Versions) -> Iterator[Check]:
    new = sys.version_info >= (3, 11)
    yield Check("Python", new, found.python, "" if new else "use 3.11 or newer")
    revision = f" @ {found.compiler_revision[:10]}" if found.compiler_revision else ""
    yield _package("compiler", f"{found.compiler}{revision}", found.compiler, "iree-base-compiler")
    yield _package("runtime", found.runtime, found.runtime, "iree-base-runtime")
    wrong = disagreements(found)
    yield Check(
        "versions fit",
        not wrong,
        "; ".join(wrong) or "compiler, runtime and this package's pins agree",
        "pip install --force-reinstall iree-layers, in a fresh .venv" if wrong else "",
    )
    for name, version, line in (
        ("torch", found.torch, "pip install torch==2.13.0"),
        ("iree-turbine", found.turbine, "pip install 'iree-layers[torch]'"),
    ):
        yield Check(
            name, True if version else None, version or "not installed", "" if version else line
        )
    onnx = importlib.util.find_spec("onnx") is not None
    line = "" if onnx else "pip install 'iree-layers[onnx]' to trace .onnx files"
    yield Check("onnx", onnx or None, "installed" if onnx else "not installed", line)


def _package(name: str, shown: str, version: str, package: str) -> Check:
    if version:
        return Check(name, True, f"{package} {shown}")
    return Check(name, False, f"{package} is not installed", "pip install iree-layers")


def _capture() -> Iterator[Check]:
    compiler = c_compiler()
    yield Check(
        "C compiler",
        True if compiler else None,
        compiler.name if compiler else "none on PATH",
        "" if compiler else "apt install gcc, xcode-select --install; for stage 8 and fast capture",
    )
    try:
        from .shim import shim
    except ImportError:  # the modules of this folder are made to be copied one by one
        return
    fast = shim()
    yield Check(
        "fast capture",
        True if fast.path else None,
        "the compiler's dump goes through shared memory" if fast.path else f"off: {fast.why}",
        "" if fast.path else "captures go through a pipe: same bytes, slower",
    )


def _machine() -> Iterator[Check]:
    yield Check("CPU", True, f"{_cpu_name()}: {_features()}")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield Check("cores", True, str(cores))
    memory = _memory()
    enough = memory is None or memory >= _NEEDED_MEMORY
    yield Check(
        "memory",
        enough,
        f"{memory / _GIB:.1f} GiB" if memory else "unknown",
        "" if enough else "trace small models only, one layer at a time",
    )
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    yield Check(
        "free disk",
        free >= _NEEDED_DISK,
        f"{free / _GIB:.1f} GiB in {folder}",
        "" if free >= _NEEDED_DISK else "set TMPDIR to a folder with 2 GiB or more",
    )


def _cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(errors="replace").splitlines():
            # `model name	: Intel(R) Xeon(R) Processor`; ARM has no such line
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return f"{value.strip()} ({platform.machine()})"
    return platform.processor() or platform.machine()


def _features() -> str:
    """Features that the runtime sees, the last ones first: they are the newest."""
    try:
        ran = run_tool("iree-cpuinfo", timeout=20)
    except (LayersError, OSError) as error:
        return f"iree-cpuinfo says nothing ({type(error).__name__})"
    # `avx512f              1`
    rows = [line.split() for line in ran.stdout.splitlines()]
    names = [row[0] for row in reversed(rows) if len(row) == 2 and row[1] == "1"]
    rest = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return (" ".join(names[:6]) or "no features listed") + rest


def _memory() -> int | None:
    """Bytes of memory, or the container's limit if that is lower."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return None
    try:  # `max`, or a number (cgroup v2)
        return min(total, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    except (OSError, ValueError):
        return total


_DRIVER_TODO = {
    "vulkan": "Debian, Ubuntu: apt install libvulkan1 mesa-vulkan-drivers (a software device)",
    "cuda": "needs an NVIDIA GPU and its driver; code for it compiles without",
    "hip": "needs an AMD GPU and ROCm; code for it compiles without",
}


def _drivers() -> Iterator[Check]:
    for found in smokes():
        yield _driver(found)
        if found.device == "vulkan" and found.target:
            flag = found.target.flags[-1]
            yield Check("vulkan target", True, f"{found.name}: {found.target.name}, {flag}")


def _driver(found: Smoke) -> Check:
    needed = found.device.startswith("local")
    ok = True if found.works else (False if needed or found.name else None)
    todo = "pip install --force-reinstall iree-base-runtime==3.13.0" if needed else ""
    if found.name and not needed:
        todo = "update the GPU's driver; until then use local-task"
    todo = todo or _DRIVER_TODO.get(found.device, "")
    return Check(found.device, ok, found.detail, "" if found.works else todo)


_TOOLS = {
    "spirv-dis": "apt install spirv-tools; shows Vulkan binaries as text",
    "dot": "apt install graphviz; draws graphs, which are drawn without it too",
    "mlir-opt": "nothing needs it: iree-opt has the same passes",
    "node": "needed only to install JupyterLab extensions",
    "chromium": "apt install chromium; only for the tests of the explorer page",
}


def _optional() -> Iterator[Check]:
    names = {"chromium": ("chromium", "chromium-browser", "google-chrome", "chrome")}
    for name, todo in _TOOLS.items():
        path = next(filter(None, map(shutil.which, names.get(name, (name,)))), None)
        found = "found" if path else "not on PATH"
        yield Check(name, True if path else None, found, "" if path else todo)
