"""A tool run, as a value: what is typed, and what was left; and how an exit reads in words."""

from __future__ import annotations

import shlex
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Command", "Ran", "exit_text", "late_text", "signal_name"]


@dataclass(frozen=True)
class Command:
    """One tool run: what is typed, where, and which environment variables it needs."""

    argv: tuple[str, ...]
    "the tool's bare name, then its arguments"
    cwd: Path | None = None
    "folder it runs in, None for the current one; file names in `argv` are relative to it"
    env: tuple[tuple[str, str], ...] = ()
    "variables on top of the inherited ones"
    stderr: str | None = None
    "file that stderr is sent to, shown as `2> file`"

    def __str__(self) -> str:
        """The line to paste in a shell that stands in `cwd`."""
        settings = [f"{name}={shlex.quote(value)}" for name, value in self.env]
        redirect = [f"2> {shlex.quote(self.stderr)}"] if self.stderr else []
        return " ".join([*settings, shlex.join(self.argv), *redirect])

    def __repr__(self) -> str:
        return f"Command({self})"


@dataclass(frozen=True)
class Ran:
    """What one tool run left behind."""

    command: Command
    exit: int
    "exit code; negative is minus the number of the signal that killed it"
    stdout: str
    stderr: str
    seconds: float
    "wall time"


def exit_text(exit: int) -> str:
    """An exit code in words: `ended with exit code 1`, `was killed by signal 11 (SIGSEGV)`."""
    if exit < 0:
        return f"was killed by signal {-exit} ({signal_name(exit)})"
    return f"ended with exit code {exit}"


def late_text(timeout: float) -> str:
    """A timeout in words."""
    return f"did not end within {timeout:g} seconds and was stopped"


def signal_name(exit: int) -> str:
    """Name of the signal behind a negative exit code, e.g. `SIGSEGV`; '' for exit ≥ 0."""
    if exit >= 0:
        return ""
    try:
        return signal.Signals(-exit).name
    except ValueError:
        return f"signal {-exit}"
