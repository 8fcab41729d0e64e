"""What the compiler says that a program will do: submissions, dispatches, copies, bytes.

In: a program, or a trace of one. Out: `Statistics`. The counts are those of
`--iree-scheduling-dump-statistics-format=json --iree-scheduling-dump-statistics-file=FILE` (3.13.0)
at the end of the phase `stream`, where the compile stops. They are static: each command of the
program counts once, whether it stands in a loop or is never reached, and all functions count
together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import CompileError, ProgramError
from .build import build
from .program import Program
from .target import Target
from .toolchain import Command

__all__ = ["Statistics", "parse_statistics", "statistics"]

_FILE = "statistics.json"

# section and key of the compiler → our field; `{"stream-aggregate": {"execution":
# {"submission-count": 1, …}}}`
_FIELDS = {
    ("global", "constant-count"): "constants",
    ("global", "constant-size"): "constant_bytes",
    ("global", "variable-count"): "variables",
    ("global", "variable-size"): "variable_bytes",
    ("synchronization", "await-count"): "awaits",
    ("execution", "submission-count"): "submissions",
    ("execution", "transient-memory-size"): "transient_bytes",
    ("execution", "fill-count"): "fills",
    ("execution", "copy-count"): "copies",
    ("execution", "dispatch-count"): "dispatches",
    ("execution", "call-count"): "async_calls",
    ("executable", "executable-count"): "executables",
}


@dataclass(frozen=True)
class Statistics:
    """The compiler's own account of a program; None where it gives no number."""

    submissions: int | None
    "`stream.cmd.execute`"
    dispatches: int | None
    copies: int | None
    fills: int | None
    awaits: int | None
    "points where the host waits for a device"
    async_calls: int | None
    executables: int | None
    "after equal ones were made one; they may be linked into fewer files"
    transient_bytes: int | None
    "memory that calls ask for, results included; sizes known at run time count as nothing"
    constants: int | None
    constant_bytes: int | None
    variables: int | None
    variable_bytes: int | None
    other: Mapping[str, Any] = field(repr=False)
    "what else the compiler said: `section.key` → value"
    command: Command = field(repr=False, compare=False)


def statistics(source: object, target: Target | None = None) -> Statistics:
    """Compile up to `stream` and read the compiler's statistics.

    Args:
        source: a program, what `program()` takes, or a `Trace`, whose program is compiled again.
        target: for whom; None for the trace's own, and for `Target.TEXT` without one.

    Raises:
        ProgramError: this is no program.
        CompileError: the compiler said no, or wrote no statistics that can be read.
    """
    given = getattr(source, "program", source)
    if not isinstance(given, Program | Path | str):
        raise ProgramError(
            f"{repr(source)[:60]} is no program",
            expected="a program, its path or text, or a trace",
            todo="statistics(program('model.mlir'))",
        )
    own = getattr(source, "target", None)
    chosen = target or (own if isinstance(own, Target) else Target.TEXT)
    flags = (
        "--iree-scheduling-dump-statistics-format=json",
        f"--iree-scheduling-dump-statistics-file={_FILE}",
    )
    built = build(given, chosen, compile_to="stream", flags=flags)
    path = built.owner.path / _FILE
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return parse_statistics(text, built.command)


def parse_statistics(text: str, command: Command) -> Statistics:
    """Read what the compiler wrote; numbers that it gives besides those known are kept.

    Raises:
        CompileError: it is no JSON, or of another form.
    """
    try:
        sections = json.loads(text)["stream-aggregate"]
        flat = {(s, key): value for s, keys in sections.items() for key, value in keys.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CompileError(
            f"the compiler's statistics cannot be read: {text[:80]!r}",
            exit=0,
            expected='{"stream-aggregate": {"execution": {…}, …}}, as iree-compile 3.13.0 writes',
            todo="run the command and look at the file",
            command=str(command),
        ) from error
    known: dict[str, Any] = {field: flat.pop(place, None) for place, field in _FIELDS.items()}
    other = {f"{section}.{key}": value for (section, key), value in flat.items()}
    return Statistics(**known, other=other, command=command)
