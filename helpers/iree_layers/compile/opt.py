"""One run of `iree-opt`: MLIR text and a pass pipeline in, text and the IR after each pass out.

`iree-opt` is IREE's `mlir-opt`: the same driver, with IREE's dialects and passes and about 140 of
MLIR's own (3.13.0). What it says of a pipeline that it does not take is explained here.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..errors import CompileError
from .program import Program, program
from .scratch import Scratch
from .toolchain import Command, run_tool

if TYPE_CHECKING:
    from .capture import Scope

__all__ = ["Opted", "Print", "explained", "known_passes", "run_opt"]

Print = Literal["all", "change", "failure"]

# 3.13.0 of iree-opt --help:      --canonicalize          -   Canonicalize operations
_LISTED = re.compile(r"^ {6}--([a-z][\w-]+)", re.MULTILINE)
# 3.13.0: 'nosuch' does not refer to a registered pass or pass pipeline
_UNKNOWN = re.compile(r"'([^']*)' does not refer to a registered pass")
# 3.13.0: Can't add pass 'AffineVectorize' restricted to 'func.func' on a PassManager intended to
#         run on 'builtin.module', did you intend to nest?
_RESTRICTED = re.compile(r"restricted to '([\w.]+)' on a PassManager intended to run on '([\w.]+)'")
# 3.13.0: 'func.func' op  was scheduled to run under SymbolDCE, but does not define a symbol table
_TABLE = re.compile(r"was scheduled to run under \w+, but does not define a symbol table")
# 3.13.0: can't run 'func.func' pass manager on 'builtin.module' op
_ANCHOR = re.compile(r"can't run '([\w.]+)' pass manager on '([\w.]+)' op")
# 3.13.0: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.mod…
_BARE = "expected pass pipeline to be wrapped with the anchor operation type"
# 3.13.0: <Pass-Options-Parser>: no such option nosuch
_OPTION = re.compile(r"no such option (\S+)")


@dataclass(frozen=True, slots=True)
class Opted:
    """What one run left: its result, and what it printed on the way."""

    text: str
    "the IR at the end"
    printed: str
    "stderr: the IR after each pass, reports and messages, as they came"
    command: Command


def run_opt(
    source: str | Program,
    pipeline: str = "",
    *,
    scope: Scope = "module",
    prints: Print = "all",
    before: bool = False,
    flags: Sequence[str] = (),
) -> Opted:
    """Run a pass pipeline over MLIR text with `iree-opt`, in a process of its own.

    Args:
        source: MLIR text, or a program.
        pipeline: e.g. `builtin.module(func.func(cse),canonicalize)`; '' only parses and prints.
        scope: print the whole module after each pass, or the op that the pass ran on.
        prints: IR after all passes, after those that changed it, or after the one that failed.
        before: print the IR before each pass too.
        flags: more flags of iree-opt, e.g. `--mlir-pass-statistics`.

    Raises:
        CompileError: the text or the pipeline is not taken, or a pass failed; `stderr` has all that
            was printed.
        ProgramError: the source is no program.
    """
    what = program(source)
    scratch = Scratch()
    (scratch.path / what.file_name).write_bytes(what.source)
    args = [what.file_name]
    if pipeline:
        args += [f"--pass-pipeline={pipeline}", "--mlir-disable-threading"]
        args += {
            "all": ["--mlir-print-ir-after-all"],
            "change": ["--mlir-print-ir-after-all", "--mlir-print-ir-after-change"],
            "failure": ["--mlir-print-ir-after-failure"],
        }[prints]
        args += ["--mlir-print-ir-before-all"] if before else []
        args += ["--mlir-print-ir-module-scope"] if scope == "module" else []
    ran = run_tool("iree-opt", *args, *flags, cwd=scratch.path, check=False)
    if ran.exit != 0:
        raise explained(ran.stderr, pipeline, exit=ran.exit, command=str(ran.command))
    return Opted(ran.stdout, ran.stderr, ran.command)


def explained(said: str, pipeline: str, *, exit: int = 1, command: str = "") -> CompileError:
    """The error of a pipeline that failed: the tool's words, and what to do.

    Args:
        said: what was printed; IR in it is left out of the message.
        pipeline: what was asked for.
        exit: exit code, minus the signal if it was killed.
        command: the line that was run.
    """
    words = _without_ir(said) or said[:400]
    shown = "\n".join(f"    {line[:200]}" for line in words.splitlines()[:12])
    died = f"the process was killed by signal {-exit}" if exit < 0 else "the pipeline failed"
    return CompileError(
        f"{died}:\n{shown}",
        exit=exit,
        stderr=said,
        todo=_todo(words, pipeline),
        command=command,
    )


@functools.cache
def known_passes() -> tuple[str, ...]:
    """Names of all passes and flags that this `iree-opt` lists in its help."""
    return tuple(_LISTED.findall(run_tool("iree-opt", "--help").stdout))


def _todo(words: str, pipeline: str) -> str:
    if found := _UNKNOWN.search(words):
        near = difflib.get_close_matches(found[1], known_passes(), n=3, cutoff=0.5)
        listed = "iree-opt --help lists all passes"
        return f"did you mean {' or '.join(near)}? {listed}" if near else listed
    if found := _RESTRICTED.search(words):
        if found[1] == "builtin.module":
            return "this pass works on a whole module: put it outside, builtin.module(…)"
        return f"this pass works on one {found[1]} at a time: nest it, {found[1]}(…)"
    if _TABLE.search(words):
        return "this pass works on the symbols of a module: put it outside, builtin.module(…)"
    if found := _ANCHOR.search(words):
        return f"what you have is a {found[2]}: nest the pipeline, {found[2]}({pipeline})"
    if _BARE in words:
        return f"say what the passes run on: builtin.module({pipeline})"
    if found := _OPTION.search(words):
        return f"iree-opt --help lists the options of each pass; {found[1]} is none of this one"
    return ""


def _without_ir(said: str) -> str:
    """The messages alone: IR begins at a header, messages before it or at `…: error: `."""
    first, *rest = re.split(r"^// -----// IR Dump .*\n", said, flags=re.MULTILINE)
    # t.mlir:2:7: error: …      <unknown>:0: error: …
    starts = [re.search(r"^\S+: (?:error|warning): ", part, re.MULTILINE) for part in rest]
    told = [part[at.start() :] for part, at in zip(rest, starts, strict=True) if at]
    return "\n".join(part.strip("\n") for part in (first, *told) if part.strip())
