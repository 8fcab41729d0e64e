"""The worker process of this process: started when it is needed, kept, replaced when it dies.

In: a `Job`. Out: its arrays, or a RunError. Compiled code that crashes or never ends takes only the
worker with it; an interrupt (Ctrl-C, "Interrupt kernel") stops the worker and comes through.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from ..compile.toolchain import exit_text, late_text
from ..errors import RunError
from .engine import Arrays, Job
from .module import Module
from .wire import receive, send

__all__ = ["SESSION", "Session"]

# A worker reads these when it opens its drivers, so a change needs a new one.
_DRIVER_SETTINGS = ("VK_", "IREE_", "LD_LIBRARY_PATH", "CUDA_", "HIP_", "ROCR_", "MESA_", "LP_")


class Session:
    """One worker at a time; calls from several threads wait for each other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._born: tuple[int, dict[str, str]] = (0, {})

    @property
    def pid(self) -> int | None:
        """Process number of the worker, None while there is none."""
        return self._child.pid if self._child else None

    def call(self, job: Job, module: Module, *, timeout: float | None = None) -> Arrays:
        """Run one job in the worker.

        Args:
            job: what to run.
            module: the module that `job` names.
            timeout: seconds until the worker is ended; None waits for ever.

        Raises:
            RunError: the job was refused, crashed the worker, or took too long.
        """
        with self._lock:
            child = self._ready()
            late = threading.Event()
            timer = None
            if timeout is not None:
                timer = threading.Timer(timeout, _stop_late, (child, late))
                timer.daemon = True
                timer.start()
            try:
                kind, value = _exchange(child, job, module)
            except (OSError, EOFError) as error:
                raise self._died(job, timeout if late.is_set() else None) from error
            except BaseException:
                # An answer that nobody read would be taken for the next one.
                self._end(kill=True)
                raise
            finally:
                if timer:
                    timer.cancel()
            if late.is_set():
                raise self._died(job, timeout)
        if kind == "refused":
            raise RunError(**value)
        arrays: Arrays = value
        return arrays

    def close(self) -> None:
        """End the worker; the next call starts another."""
        # At exit another thread may still wait for a call that never ends.
        free = self._lock.acquire(timeout=2)
        try:
            self._end(kill=not free)
        finally:
            if free:
                self._lock.release()

    def _ready(self) -> subprocess.Popen[bytes]:
        now = (os.getpid(), _settings())
        if self._child and (self._child.poll() is not None or self._born != now):
            self._end(kill=True)
        if self._child is None:
            self._born = now
            self._errors = tempfile.TemporaryFile()
            self._child = _start(self._errors)
        return self._child

    def _died(self, job: Job, timeout: float | None) -> RunError:
        """What is known about a worker that stopped answering."""
        child, errors = self._child, self._errors
        assert child is not None
        assert errors is not None
        with suppress(subprocess.TimeoutExpired):
            child.wait(10)
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().splitlines()[-3:]
        exit = child.returncode
        self._end(kill=True)
        name = f"{job.function or 'the function'} of {job.origin}"
        if timeout is not None:
            return RunError(
                f"{name} {late_text(timeout)}",
                expected="an end; a loop that never ends looks like this",
                todo="give a larger timeout=, or smaller inputs",
            )
        lines = "".join(f"\n    {line[:200]}" for line in said)
        what = exit_text(exit) if exit is not None else "stopped answering"
        return RunError(
            f"the process that ran {name} {what}{':' if lines else ''}{lines}",
            expected="compiled code that ends by itself",
            todo="this kernel goes on, only that process died; compile for this machine "
            "(Target.HOST, never Target.TEXT); in edited IR look for accesses out of bounds",
        )

    def _end(self, *, kill: bool) -> None:
        child, self._child = self._child, None
        errors, self._errors = self._errors, None
        # After a fork the worker belongs to the other process: forget it, do not end it.
        if child is not None and self._born[0] == os.getpid():
            if kill:
                child.kill()
            for stream in (child.stdin, child.stdout):
                with suppress(OSError):
                    stream.close()  # type: ignore[union-attr]
            try:
                child.wait(2)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        if errors is not None:
            errors.close()


def _exchange(child: subprocess.Popen[bytes], job: Job, module: Module) -> Any:
    requests: Any = child.stdin
    answers: Any = child.stdout
    send(requests, job)
    answer = receive(answers)
    if answer[0] == "need":
        send(requests, module)
        answer = receive(answers)
    return answer


def _start(errors: IO[bytes]) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    # -P: a file random.py beside the notebook must not replace a module of the worker.
    # -W ignore: with PYTHONWARNINGS=error a warning of a library would be its end.
    command = [sys.executable, "-P", "-W", "ignore", "-m", "iree_layers.execute.worker"]
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
    )


def _stop_late(child: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    child.kill()


def _settings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_DRIVER_SETTINGS)}


SESSION = Session()
"the worker that `run()` uses"

atexit.register(SESSION.close)
