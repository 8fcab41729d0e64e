"""Every error the library raises on purpose, and the one shape of their text.

    LayersError
    ├── ToolMissing      a tool of the wheels, a compiler, or an optional package is not here
    ├── ProgramError     what was given cannot be turned into a program
    ├── TargetError      a target that does not exist, or one used for the wrong purpose
    ├── CompileError     iree-compile said no
    │   └── CompilerCrash    iree-compile was killed by a signal
    ├── DumpError        a file that is not a dump, or a stored trace that is damaged
    ├── RunError         the runtime refused a module, a call or a device
    └── ExerciseError    a stage's own files are wrong (a learner never sees this one)

A message has at most four parts: what was expected, what was found, what to do next, and the
command that was run. A notebook shows them as one paragraph instead of a traceback.
"""

from __future__ import annotations

import textwrap

__all__ = [
    "CompileError",
    "CompilerCrash",
    "DumpError",
    "ExerciseError",
    "LayersError",
    "ProgramError",
    "RunError",
    "TargetError",
    "ToolMissing",
]


class LayersError(Exception):
    """Base of all errors raised on purpose. Catch this one to catch them all."""

    def __init__(
        self, found: str, *, expected: str = "", todo: str = "", command: str = ""
    ) -> None:
        """Keep the parts; any but `found` may be empty.

        Args:
            found: what is the case, with the line or value that shows it.
            expected: what should have been the case.
            todo: what the learner can do next.
            command: the shell line that was run, pasteable.
        """
        super().__init__(found)
        self.found = found
        self.expected = expected
        self.todo = todo
        self.command = command

    def __str__(self) -> str:
        lines = [self.found]
        if self.expected:
            lines.append(f"  expected: {self.expected}")
        if self.todo:
            lines.append(f"  next: {self.todo}")
        if self.command:
            lines.append(f"  command: {self.command}")
        return "\n".join(_wrapped(line) for line in "\n".join(lines).splitlines())

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in IPython, which looks for this method on exceptions."""
        return [f"{type(self).__name__}: {self}"]


def _wrapped(line: str, longest: int = 150, columns: int = 120) -> str:
    """Break a line that no screen shows whole; a command stays one line, to be pasted."""
    if len(line) <= longest or line.startswith("  command: "):
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line,
        columns,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


class ToolMissing(LayersError):
    """A tool, a C compiler or an optional package is not installed."""


class ProgramError(LayersError):
    """What was given cannot be turned into a program."""


class TargetError(LayersError):
    """A target name that does not exist, or a target used for the wrong purpose."""


class CompileError(LayersError):
    """iree-compile ended with an error.

    Attributes:
        exit: the exit code; negative is minus the signal number.
        stderr: the compiler's diagnostics, without the IR.
        last_pass: argument of the last pass whose IR was captured, or "".
        partial: what was captured until then (a `Trace`), or None.
    """

    def __init__(
        self,
        found: str,
        *,
        exit: int,
        stderr: str = "",
        last_pass: str = "",
        partial: object | None = None,
        expected: str = "",
        todo: str = "",
        command: str = "",
    ) -> None:
        """Keep the parts of the message and the evidence."""
        super().__init__(found, expected=expected, todo=todo, command=command)
        self.exit = exit
        self.stderr = stderr
        self.last_pass = last_pass
        self.partial = partial


class CompilerCrash(CompileError):
    """iree-compile was killed by a signal; `partial` holds what it printed before."""


class DumpError(LayersError):
    """A file that holds no dump, or a stored trace that is damaged."""


class RunError(LayersError):
    """The runtime refused a module, a call or a device."""


class ExerciseError(LayersError):
    """A stage's manifest, stub, solution or wrong answer is inconsistent."""
