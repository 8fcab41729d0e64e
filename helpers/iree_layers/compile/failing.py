"""A printing compile that failed, as an error that carries all the evidence."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from ..errors import CompileError, CompilerCrash
from .advice import advice
from .toolchain import run_tool

if TYPE_CHECKING:
    from .capture import Capture
    from .diagnostics import Said

__all__ = ["failed"]

# 3.13.0: iree-compile: for the --mlir-print-ir-after option: Cannot find option named 'nosuch'!
_NO_SUCH_PASS = re.compile(r"for the --mlir-print-ir-\w+ option: Cannot find option named '(.*)'!")


def failed(partial: Capture, found: str, said: Said) -> CompileError:
    """The error of a printing compile, with what was captured until then.

    Args:
        partial: what is on disk.
        found: what happened, in words.
        said: what the compiler wrote beside the IR.
    """
    crashed = partial.exit < 0 and "was killed by" in found
    where = f"the pass {said.failed_pass} failed; " if said.failed_pass else ""
    if crashed and said.last_pass:
        where = f"it died in the pass after {said.last_pass}; "
    keep = "the IR until then is in error.partial" if said.any_snapshot else "read the line above"
    return (CompilerCrash if crashed else CompileError)(
        found,
        exit=partial.exit,
        stderr=said.text,
        last_pass=said.last_pass,
        partial=partial,
        todo=_nearest_pass(said.text) or advice(said.text) or where + keep,
        command=str(partial.command),
    )


def _nearest_pass(text: str) -> str:
    unknown = _NO_SUCH_PASS.search(text)
    if not unknown:
        return ""
    # 3.13.0 of iree-opt --help:      --canonicalize          -   Canonicalize operations
    known = re.findall(r"^ {6}--([a-z][\w-]+)", run_tool("iree-opt", "--help").stdout, re.MULTILINE)
    near = difflib.get_close_matches(unknown[1], known, n=3, cutoff=0.4)
    listed = "iree-opt --help lists all passes"
    return f"did you mean {' or '.join(near)}? {listed}" if near else listed
