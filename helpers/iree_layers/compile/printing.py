"""The flags of iree-compile that print IR."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from ..errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ELIDE", "Scope", "check_flags", "printing_flags"]

Scope = Literal["op", "module"]

ELIDE = ("--mlir-elide-elementsattrs-if-larger=16", "--mlir-elide-resource-strings-if-larger=160")
_OURS = (
    "o",
    "compile-from",
    "compile-to",
    "dump-compilation-phases-to",
    "iree-hal-dump-executable-files-to",
)
# 3.13.0: --mlir-print-ir-after=cse,inline   --mlir-print-ir-before-all
_CHOICE = re.compile(r"--?mlir-print-ir-(?:before|after)(?:-all|=.*)?")


def check_flags(flags: Sequence[str]) -> None:
    """Refuse flags that would move what a capture looks for.

    Raises:
        ProgramError: one of them is set by capture itself.
    """
    for flag in flags:
        name = flag.lstrip("-").partition("=")[0]
        if name in _OURS:
            raise ProgramError(
                f"the flag {flag} is set by capture itself",
                expected="flags that change what is compiled or printed",
                todo="use only_layer=…, files=… or folder=…, or build(program, compile_to=…)",
            )


def printing_flags(
    scope: Scope, changed: bool, before: bool, locations: bool, elide: bool, flags: Sequence[str]
) -> list[str]:
    """Flags that print; threads are off, because the order of a threaded dump is random."""
    chosen = any(_CHOICE.fullmatch(flag) for flag in flags)
    wanted = {
        "--mlir-print-ir-before-all": before,
        "--mlir-print-ir-after-all": not chosen,
        # Alone this one prints nothing at all and says nothing.
        "--mlir-print-ir-after-change": changed,
        "--mlir-print-ir-module-scope": scope == "module",
        "--mlir-print-debuginfo": locations,
    }
    cut = ELIDE if elide else ()
    return [flag for flag, is_on in wanted.items() if is_on] + ["--mlir-disable-threading", *cut]
