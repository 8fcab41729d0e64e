"""Code that may kill its process, run in a process of its own.

A fault in native code (SIGSEGV, an assertion, `LLVM ERROR`) ends the process it happens in; in a
notebook that is the kernel, with everything in it. What is run here ends alone, and says how.
"""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..compile.toolchain import stop_group
from ..errors import LayersError

__all__ = ["Child", "child"]

_LINES = 12
"of each stream that `str(child)` shows"


@dataclass(frozen=True, slots=True)
class Child:
    """How a process of our own ended."""

    exit: int
    "exit code; minus the signal number if it was killed"
    stdout: str
    stderr: str
    seconds: float
    late: bool = False
    "we ended it, because its time was over"

    @property
    def ok(self) -> bool:
        """It ran to its end."""
        return self.exit == 0 and not self.late

    @property
    def signal(self) -> str:
        """Name of the signal that killed it, e.g. `SIGSEGV`; '' if none did."""
        if self.exit >= 0 or self.late:
            return ""
        try:
            return signal.Signals(-self.exit).name
        except ValueError:
            return f"signal {-self.exit}"

    def __str__(self) -> str:
        parts = [_shown(self.stdout), "" if self.signal else _shown(self.stderr)]
        if self.late:
            how = "it was still running when its time was over"
        elif self.signal:
            how = f"the child was killed by {self.signal}; this process lives"
        elif self.exit:
            how = f"the child ended with exit code {self.exit}; this process lives"
        else:
            how = "the child ran to its end"
        return "\n".join(part for part in (*parts, f"[{how}]") if part)

    __repr__ = __str__


def child(code: str | Callable[[], object], *, timeout: float = 60) -> Child:
    """Run code in a new Python process, and say how that ended; a crash raises nothing.

    Args:
        code: Python source, or a function without arguments. Of a function the source is sent, so
            it must import what it uses; what it returns is printed.
        timeout: seconds until the process and its children are killed.

    Raises:
        LayersError: a function without source, or one that needs arguments.
    """
    source = code if isinstance(code, str) else _source(code)
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="iree-layers-child-") as folder:
        script = Path(folder) / "child.py"
        script.write_text(source, encoding="utf-8")
        process = subprocess.Popen(
            # Without a core file, and with the stack of Python on a signal.
            [sys.executable, "-X", "faulthandler", str(script)],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        late = False
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            late = True
            stop_group(process)
            out, err = process.communicate()
        except BaseException:
            stop_group(process)
            process.communicate()
            raise
    seconds = time.perf_counter() - started
    stderr = err.decode("utf-8", "replace").replace(f"{folder}{os.sep}", "")
    return Child(process.returncode, out.decode("utf-8", "replace"), stderr, seconds, late)


def _source(function: Callable[[], object]) -> str:
    try:
        text = textwrap.dedent(inspect.getsource(function))
        needs = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    except (OSError, TypeError) as error:
        raise LayersError(
            f"the source of {function!r} is not known",
            expected="a function that is written in a file or a cell, or Python source as text",
        ) from error
    if needs:
        raise LayersError(
            f"{function.__name__} needs {', '.join(p.name for p in needs)}",
            expected="a function without arguments: it runs in another process",
        )
    return f"{text}\n_result = {function.__name__}()\nif _result is not None:\n    print(_result)\n"


def _shown(text: str) -> str:
    lines = text.rstrip().splitlines()
    if len(lines) <= _LINES:
        return "\n".join(lines)
    return "\n".join([f"… {len(lines) - _LINES} lines before", *lines[-_LINES:]])
