"""The compiler's twelve phases, as `--compile-to` and `--dump-compilation-phases-to` name them.

The order is that of `iree-compile --help` (3.13.0); a test holds this list against the installed
compiler. A phase file is `<stem>.<number>.<phase>.mlir`, where the stem is the module's symbol or,
without one, the stem of the input file.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from ..errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["PHASES", "is_cut", "phase_before", "phase_files", "phase_of", "resumes_after"]

PHASES = (
    "input",
    "abi",
    "preprocessing",
    "global-optimization",
    "dispatch-creation",
    "flow",
    "stream",
    "executable-sources",
    "executable-configurations",
    "executable-targets",
    "hal",
    "vm",
)

# 3.13.0: mlp.5.dispatch-creation.mlir
_FILE = re.compile(r".+\.(\d+)\.([a-z-]+)\.mlir(?:bc)?")
# 3.13.0: %cst = arith.constant dense_resource<torch_tensor_10_torch.float32> : tensor<10xf32>
_USED = re.compile(rb"dense_resource<([^>]+)>")


def phase_of(path: Path) -> str | None:
    """Phase at whose end a phase file was written, by its name; None for any other file."""
    found = _FILE.fullmatch(path.name)
    return found[2] if found and found[2] in PHASES else None


def phase_files(folder: Path) -> Mapping[str, Path]:
    """Phase files of a folder, by phase, in the compiler's order."""
    found = {phase_of(path): path for path in folder.glob("*.mlir")}
    return {phase: found[phase] for phase in PHASES if phase in found}


def phase_before(phase: str) -> str | None:
    """The phase that ends where this one starts; None for the first.

    Raises:
        ProgramError: there is no such phase; the message has the nearest and the list.
    """
    if phase not in PHASES:
        near = difflib.get_close_matches(phase, PHASES, n=1)
        raise ProgramError(
            f"there is no phase {phase!r} that can be run alone",
            expected=f"one of {', '.join(PHASES)}",
            todo=f"did you mean {near[0]!r}?" if near else "pick one of the list",
        )
    at = PHASES.index(phase)
    return PHASES[at - 1] if at else None


def is_cut(text: bytes) -> bool:
    """True if constants were left out when this IR was printed: it can be read, not compiled.

    `--mlir-elide-elementsattrs-if-larger` leaves a mark; `--mlir-elide-resource-strings-if-larger`
    leaves a name in use whose bytes are not at the end of the file.
    """
    if b"<__elided__>" in text:
        return True
    kept, _, resources = text.partition(b"{-#")
    return any(name.strip(b'"') not in resources for name in set(_USED.findall(kept)))


# 3.13.0: `%3 = stream.cmd.execute on(…) await(…) => with(`; in bytecode the name `cmd.execute`
_SCHEDULED = re.compile(rb"\bstream\.cmd\.(?:execute|dispatch)\b")
# What the executables hold at the end of the phases that follow, from the last one backwards; in
# bytecode dialect and op are apart.
_WITHIN = (
    ("executable-targets", re.compile(rb"\b(?:llvm\.func|spirv\.module|vm\.module)\b|llvm\0")),
    ("executable-configurations", re.compile(rb"\biree_codegen\b")),
    ("executable-sources", re.compile(rb"")),
)


def resumes_after(source: bytes) -> str | None:
    """Phase that IR must be resumed from, because the compiler would not do all of it again.

    IR whose work is scheduled already (`stream.cmd.execute`) compiles from the start without a
    word, to a module whose dispatches are gone: results are whatever was in that memory (3.13.0,
    all four phases from `stream` to `executable-targets`). IR of all other phases gives the same
    numbers from the start; for it the answer is None.
    """
    code = source.startswith(b"ML\xefR")
    if not (b"cmd.execute" in source if code else _SCHEDULED.search(source)):
        return None
    if (b"executable.variant" if code else b"hal.executable.variant") not in source:
        return "stream"
    return next(phase for phase, mark in _WITHIN if mark.search(source))
