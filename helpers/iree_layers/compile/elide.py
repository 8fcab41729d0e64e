"""The text of a program for the eye: bytecode printed, long constants and locations hidden.

In: MLIR text or bytecode. Out: text that says how much it hides, and is not to be compiled. Rests
on the elision flags of `iree-opt` (3.13.0), which also keep a print of bytecode small.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from .kind import is_bytecode
from .toolchain import run_tool

__all__ = ["elide", "printed", "without_locations"]

_CUT = ("--mlir-elide-elementsattrs-if-larger=16", "--mlir-elide-resource-strings-if-larger=64")

_INNER = r'[^()"\n]|"[^"\n]*"'
_LOCATION = re.compile(rf" loc\((?:{_INNER}|\((?:{_INNER}|\((?:{_INNER})*\))*\))*\)")


def printed(source: bytes, file_name: str = "program.mlir") -> str:
    """Text of MLIR text or bytecode, elided; bytecode goes through `iree-opt`, in a subprocess.

    Raises:
        CompileError: the bytecode is damaged, or from an MLIR that this compiler does not read.
    """
    if not is_bytecode(source):
        return elide(without_locations(source.decode()))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / file_name).write_bytes(source)
        ran = run_tool("iree-opt", file_name, *_CUT, cwd=Path(folder))
    return elide(ran.stdout.rstrip() + "\n")


def without_locations(text: str) -> str:
    """The text without the source locations that front ends print; a last line counts them."""
    # `#loc1 = loc("model.py":33:0)`, on lines of their own around the module
    text = re.sub(r"^#loc\d* = loc\(.*\)\n?", "", text, flags=re.MULTILINE)
    # `… -> !torch.vtensor<[4],f32> loc(#loc3)`, `%arg0: tensor<4xf32> loc("x"(#loc1))`
    text, hidden = _LOCATION.subn("", text)
    return f"{text.rstrip()}\n// {hidden} source locations hidden\n" if hidden else text


def elide(text: str, *, keep: int = 64) -> str:
    """Shorten constants of more than `keep` characters; each says how much is hidden."""

    def short(match: re.Match[str]) -> str:
        body = match.group(2)
        if len(body) <= keep:
            return match.group(0)
        hidden = len(body) - keep // 2
        return f"{match.group(1)}{body[: keep // 2]}… {hidden} characters hidden{match.group(3)}"

    # `dense<"0x3F80…"> : tensor<64xf32>`, and in `{-# dialect_resources … #-}`: `w: "0x0400…"`
    text = re.sub(r'(")(0x[0-9A-Fa-f]+)(")', short, text)
    # `dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>`
    return re.sub(r"(dense<)(\[[^>]*\])(>)", short, text)
