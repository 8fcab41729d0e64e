"""The values that flow out of a dump: Header, Snapshot, Noise.

All are frozen. Positions are byte offsets into the dump, half-open, so `data[start:end]` is the
text. No value holds IR text: a `Dump` slices it when you ask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Header", "Noise", "Snapshot", "When"]

When = Literal["Before", "After"]


@dataclass(frozen=True, slots=True)
class Header:
    """What one `// -----// IR Dump … //----- //` line says."""

    when: When | None
    "printed before or after the pass; None for a header-like line that the grammar does not know"
    pass_class: str
    "C++ class, e.g. `CanonicalizerPass`; may hold `::`, blanks and parentheses; '' if unknown"
    argument: str
    "the pass as pipelines spell it, e.g. `canonicalize`: the stable key; '' if unknown"
    options: str
    "text of `{…}` with the braces, runs of blanks kept; '' before MLIR of May 2026 (IREE 3.12)"
    failed: bool
    "the pass failed; the first failed snapshot of a dump is the culprit, later ones enclose it"
    op: str | None
    "op the pass ran on, e.g. `util.func`; in the header only at module scope"
    symbol: str | None
    "symbol of that op without `@`, if it has one"

    @property
    def pipeline(self) -> str:
        """Exact textual pipeline of this pass, as `iree-opt --pass-pipeline` takes it."""
        return self.argument + self.options


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The IR after (or before) one pass, as a place in the dump."""

    index: int
    "0-based position among the dump's snapshots"
    header: Header
    start: int
    "offset of the header line"
    body: int
    "offset of the first byte after the header line"
    end: int
    "offset of the next header line, or the end of the dump"
    content: str
    "xxh3-128 of the body without noise, hex: equal content, equal text"
    same_as: int | None
    "index of the first snapshot of this dump with the same content, if it is an earlier one"
    op: str | None
    "op at the root of the body, e.g. `util.func`, `module`; None if the body has no op"
    symbol: str | None
    "its symbol without `@`"
    layer: str = "unknown"
    "name of the compilation phase it belongs to, `const-eval`, or `unknown`"
    guessed: bool = False
    "the layer is a best fit (a dump without phase markers), not a fact"
    dispatch: str | None = None
    "executable that this snapshot is part of, e.g. `mlp_dispatch_0`"

    @property
    def name(self) -> str:
        """Argument of the pass; the header's class where there is no argument."""
        return self.header.argument or self.header.pass_class or "?"


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes on the same stream that are not IR: warnings, remarks, timing tables, a crash."""

    start: int
    end: int
    kind: str
    "`preamble`, `warning`, `error`, `remark`, `note`, `timing`, `crash`, `llvm` or `other`"
    after: int
    "index of the snapshot it follows (-1: before the first)"
