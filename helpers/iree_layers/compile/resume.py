"""Where a compile of IR may begin: what phase it has been through, by the ops that are in it.

In: MLIR text or bytecode. Out: the phases it looks like, and a refusal where the compiler would
leave the work out without a word. Measured with 3.13.0 on the IR of all twelve phases, text and
bytecode, and on every snapshot in between (tests/compile/test_resume.py).
"""

from __future__ import annotations

import re

from ..errors import ProgramError
from .kind import is_bytecode
from .phases import PHASES

__all__ = ["SOURCE", "check_start", "doubt", "looks_like", "resumes_after"]

SOURCE = ""
"stands for a program that has been through no phase, in what `looks_like` gives"

# 3.13.0: `%3 = stream.cmd.execute on(…) await(…) => with(`, generic: `"stream.cmd.execute"(`
_SCHEDULED = re.compile(rb"(?<![\w.$@-])stream\.cmd\.(?:execute|dispatch)(?![\w.$])")
# `"an.op"(`, `"a string"`, `// a comment`
_NO_CODE = re.compile(rb'"(?:[^"\\\n]|\\.)*"(\s*\()?|//[^\n]*')
# What the executables hold at the end of the phases that follow, from the last one backwards; in
# bytecode dialect and op are apart.
_WITHIN = (
    ("executable-targets", re.compile(rb"\b(?:llvm\.func|spirv\.module|vm\.module)\b")),
    ("executable-targets", re.compile(rb"(?<!\w)(?:llvm|spirv|vm)\0")),
    ("executable-configurations", re.compile(rb"\btranslation_info\b")),
    ("executable-sources", re.compile(rb"")),
)
# What text shows of the phases around those, from the last one backwards.
_AROUND = (
    (("vm",), rb"^\s*vm\.(?:func|rodata|initializer)\b"),
    (("hal",), rb"\bhal\.(?:executable\.binary|command_buffer\.\w+|device\.queue\.\w+)\b"),
    (("executable-sources",), rb"\bhal\.executable\.variant\b"),
    (("stream",), rb"\bstream\.(?:executable|async\.\w+|resource\.\w+|tensor\.\w+)\b"),
    (("flow",), rb"\bflow\.executable\b"),
    (("dispatch-creation",), rb"\bflow\.dispatch\.\w+"),
    (("abi", "preprocessing", "global-optimization"), rb"\bhal\.tensor\.(?:im|ex)port\b"),
    (("input",), rb"\butil\.func\b"),
)


def resumes_after(source: bytes) -> str | None:
    """Phase that IR must be resumed from, because the compiler would not do all of it again.

    IR whose work is scheduled already (`stream.cmd.execute`) compiles from the start, or from any
    phase before `stream`, without a word, to a module whose work is gone: results are whatever was
    in that memory. That is so for all four phases from `stream` to `executable-targets`. IR of all
    other phases gives the same numbers from the start; for it the answer is None.
    """
    code = is_bytecode(source)
    if not (b"stream\0" in source and b"cmd.execute\0" in source if code else _scheduled(source)):
        return None
    if (b"executable.variant\0" if code else b"hal.executable.variant") not in source:
        return "stream"
    return next(phase for phase, mark in _WITHIN if mark.search(source))


def looks_like(source: bytes) -> tuple[str, ...]:
    """Phases at whose end this text may have been written; `(SOURCE,)` for a program.

    A guess for messages: an ordinary program may hold ops of any dialect. `()` for bytecode whose
    work is not scheduled.
    """
    if phase := resumes_after(source):
        return (phase,)
    if is_bytecode(source):
        return ()
    return next((found for found, mark in _AROUND if re.search(mark, source, re.M)), (SOURCE,))


def check_start(name: str, source: bytes, start: str | None = None) -> None:
    """Refuse to compile IR from a phase where its work would be lost without a word.

    Args:
        name: how the message calls it.
        source: the IR.
        start: phase after which the compile begins; None begins at the start.

    Raises:
        ProgramError: with the phase that it looks like.
    """
    if start is not None and PHASES.index(start) >= PHASES.index("stream"):
        return
    if phase := resumes_after(source):
        where = f"after {start}" if start else "from the start"
        raise ProgramError(
            f"{name} is IR of a phase: its work is scheduled already (stream.cmd.execute), and "
            f"compiled {where} it would be left out of the module, without a word",
            expected="a program, or IR with the phase that it has been through",
            todo=f"trace the program that it came from; or build(…, compile_from={phase!r}), if it "
            "is the end of that phase: it looks so",
        )


def doubt(source: bytes, start: str) -> tuple[str, str]:
    """What was expected, and what to do, when IR could not be compiled on after a phase.

    Both are '' if it looks as it should, so that something else is wrong.
    """
    found = looks_like(source)
    if not found or start in found:
        return "", ""
    expected = f"IR as it is at the end of {start}, because of compile_from={start!r}"
    if found == (SOURCE,):
        return expected, "this looks like a source program: leave compile_from out"
    return expected, f"this looks like the end of {found[0]}: compile_from={found[0]!r}"


def _scheduled(source: bytes) -> bool:
    """An op that is scheduled work, outside of comments and strings."""
    if b"stream.cmd." not in source:
        return False
    lines = (line for line in source.split(b"\n") if b"stream.cmd." in line)
    code = (_NO_CODE.sub(lambda m: m[0] if m[1] else b"", line) for line in lines)
    return any(map(_SCHEDULED.search, code))
