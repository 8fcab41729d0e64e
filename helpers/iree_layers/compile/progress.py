"""Watches a dump while it grows: a bar for the person who waits, and an end to one too long."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from .diagnostics import HEADER, pass_of
from .phases import PHASES, phase_files

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

__all__ = ["TooLong", "Watch", "wants_progress"]

_AFTER = 2.0
_EVERY = 0.1
_TAIL = 256 << 10


class TooLong(Exception):
    """The dump has passed its limit."""


class Watch:
    """A context: `tick(size)` is called while the compiler runs.

    The bar shows bytes, of the forecast if there is one, and where the compiler is: the phase, from
    the phase files that are there, and the last pass, from the end of the dump. It appears after
    two seconds, on stderr, and leaves nothing behind.
    """

    def __init__(
        self, dump: Path, *, show: bool, limit: int | None = None, total: int | None = None
    ) -> None:
        """Start nothing yet.

        Args:
            dump: the growing file; `phases/` is beside it.
            show: draw the bar.
            limit: bytes after which `tick` raises.
            total: bytes that are expected.
        """
        self._dump, self._limit = dump, limit
        # tqdm sees no terminal in a file or in a test; that was decided by `show`.
        options: dict[str, Any] = {
            "unit": "B",
            "unit_scale": True,
            "delay": _AFTER,
            "mininterval": _EVERY,
        }
        self._bar = tqdm(
            total=total, desc="iree-compile", leave=False, disable=not show, file=sys.stderr,
            **options,
        )  # fmt: skip

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()

    def tick(self, size: int) -> None:
        """Take note of `size` bytes.

        Raises:
            TooLong: that is more than the limit.
        """
        if self._limit is not None and size > self._limit:
            raise TooLong(f"the dump passed the limit of {self._limit:,} bytes and was stopped")
        if not self._bar.disable:
            self._bar.set_postfix_str(self._place(size), refresh=False)
            self._bar.update(size - self._bar.n)

    def _place(self, size: int) -> str:
        done = list(phase_files(self._dump.parent / "phases"))
        phase = PHASES[min(len(done), len(PHASES) - 1)]
        return f"{phase}: {last_pass(self._dump, size)}"


def last_pass(dump: Path, size: int) -> str:
    """Argument of the last pass among the first `size` bytes, '' if it is far from the end."""
    with suppress(OSError), dump.open("rb") as file:
        file.seek(max(0, size - _TAIL))
        tail = file.read(min(size, _TAIL))
        at = tail.rfind(b"\n" + HEADER, 0, tail.rfind(b"\n"))
        return pass_of(tail, at + 1) if at >= 0 else ""
    return ""


def wants_progress(asked: bool | None) -> bool:
    """Whether to draw: as asked; else for a terminal or a notebook, never in a test."""
    if asked is not None:
        return asked
    if "PYTEST_CURRENT_TEST" in os.environ:
        return False
    kernel = sys.modules.get("ipykernel.zmqshell") is not None
    return kernel or sys.stderr.isatty()
