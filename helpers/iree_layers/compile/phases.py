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

__all__ = ["PHASES", "is_cut", "phase_before", "phase_files", "phase_of"]

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
