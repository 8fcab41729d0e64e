"""A pass pipeline, step by step: the IR after each pass, as a `Dump`.

opt(text, "builtin.module(func.func(cse))")     through iree-opt, in a process of its own
passes(module, manager)                         in this process, on a live op, which it changes
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from ..compile.opt import Print, explained, run_opt
from ..errors import CompileError, DumpError
from .dump import Dump
from .index import index
from .source import MemorySource

if TYPE_CHECKING:
    from ..compile.capture import Scope
    from ..compile.program import Program
    from ..compile.toolchain import Command
    from .snapshot import Snapshot

__all__ = ["Steps", "opt", "passes"]

# What is caught of file descriptor 2 must belong to one pipeline.
_STDERR = threading.Lock()


@dataclass(frozen=True, eq=False)
class Steps:
    """What a pipeline did."""

    start: str
    "the IR that went in, as MLIR prints it"
    text: str
    "the IR that came out"
    pipeline: str
    dump: Dump
    "the IR after each pass"
    command: Command | None
    "the run of iree-opt; None if it ran in this process"

    def __len__(self) -> int:
        return len(self.dump)

    def __iter__(self) -> Iterator[Snapshot]:
        return iter(self.dump)

    def __getitem__(self, index: int) -> Snapshot:
        return self.dump[index]

    def __repr__(self) -> str:
        return f"Steps({self.pipeline}: {', '.join(s.name for s in self) or 'nothing printed'})"

    @property
    def said(self) -> str:
        """Reports and messages: all that was printed and is no IR."""
        return "".join(self.dump.source.read(n.start, n.end).decode() for n in self.dump.noise)

    def after(self, which: int | str) -> str:
        """The IR after a step, by its index, or after the first pass of a name.

        Raises:
            DumpError: there is no such step; the message has those that there are.
        """
        return self.dump.text(self._at(which))

    def before(self, which: int | str) -> str:
        """The IR before a step: after the one before it, or what went in.

        At op scope that is another op, where the step before ran on another op.
        """
        at = self._at(which)
        return self.dump.text(at - 1) if at else self.start

    def _at(self, which: int | str) -> int:
        names = [snapshot.name for snapshot in self]
        if isinstance(which, str) and which in names:
            return names.index(which)
        if isinstance(which, int) and -len(names) <= which < len(names):
            return which % len(names)
        raise DumpError(
            f"no step {which!r} was printed",
            expected=f"one of {', '.join(names)}" if names else "a pipeline that printed IR",
        )


def opt(
    source: str | Program,
    pipeline: str,
    *,
    scope: Scope = "module",
    prints: Print = "all",
    before: bool = False,
    flags: Sequence[str] = (),
) -> Steps:
    """Run a pipeline through `iree-opt` and keep the IR after each pass.

    Args:
        source: MLIR text, or a program.
        pipeline: e.g. `builtin.module(func.func(cse),canonicalize)`.
        scope: print the whole module after each pass, or the op that the pass ran on.
        prints: IR after all passes, after those that changed it, or after the one that failed.
        before: print the IR before each pass too.
        flags: more flags of iree-opt, e.g. `--mlir-pass-statistics`.

    Raises:
        CompileError: the text or the pipeline is not taken, or a pass failed; `partial` is `Steps`
            until then, without an end.
        ProgramError: the source is no program.
    """
    start = run_opt(source).text
    try:
        ran = run_opt(source, pipeline, scope=scope, prints=prints, before=before, flags=flags)
    except CompileError as error:
        error.partial = Steps(start, "", pipeline, _dump(error.stderr.encode()), None)
        raise
    return Steps(start, ran.text, pipeline, _dump(ran.printed.encode()), ran.command)


def passes(
    op: Any,
    pipeline: str | Any,
    *,
    scope: Scope = "module",
    before: bool = False,
    changed: bool = False,
) -> Steps:
    """Run a pipeline in this process on a live op, and keep the IR after each pass.

    What C++ prints goes to file descriptor 2; it is caught there while the pipeline runs.

    Args:
        op: a module or operation of `iree.compiler.ir`; it is changed.
        pipeline: text, or a `PassManager`, which may hold passes that are Python functions.
        scope: print the whole module after each pass, or the op that the pass ran on.
        before: print the IR before each pass too.
        changed: leave out passes that changed nothing.

    Raises:
        CompileError: the pipeline is not taken, or a pass failed; `partial` is `Steps` until then.
        Exception: what a pass in Python raised, unchanged.
    """
    from iree.compiler.ir import MLIRError

    root = getattr(op, "operation", op)
    start, printed = f"{root}\n", b""
    text = pipeline if isinstance(pipeline, str) else str(pipeline)
    failed: Exception | None = None
    with root.context as context, tempfile.TemporaryFile() as file:
        threads = context.get_num_threads() > 1
        context.enable_multithreading(False)
        try:
            manager = _manager(pipeline)
            manager.enable_ir_printing(
                print_before_all=before,
                print_after_all=True,
                print_after_change=changed,
                print_module_scope=scope == "module",
            )
            with _caught(file):
                manager.run(root)
        except (MLIRError, ValueError) as error:
            if isinstance(error, ValueError) and error.__traceback__ is not None and _theirs(error):
                raise
            failed = error
        finally:
            context.enable_multithreading(threads)
        file.seek(0)
        printed = file.read()
    steps = Steps(start, "" if failed else f"{root}\n", text, _dump(printed), None)
    if failed is None:
        return steps
    problem = explained(f"{failed}", text)
    problem.partial = steps
    raise problem from failed


def _manager(pipeline: str | Any) -> Any:
    from iree.compiler.passmanager import PassManager

    return PassManager.parse(pipeline) if isinstance(pipeline, str) else pipeline


def _theirs(error: ValueError) -> bool:
    """It comes from a pass in Python: the traceback goes on below the call of `run`."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_code.co_filename != __file__


@contextmanager
def _caught(file: IO[bytes]) -> Iterator[None]:
    """While it lasts, what anybody writes to file descriptor 2 goes into the file."""
    with _STDERR:
        sys.stderr.flush()
        kept = os.dup(2)
        try:
            os.dup2(file.fileno(), 2)
            yield
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)


def _dump(printed: bytes) -> Dump:
    return index(MemorySource(printed), origin="a pipeline")
