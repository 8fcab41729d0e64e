"""The picture that every notebook opens with: the road of a model, with the reader's layer lit.

show.pipeline("stream")             # one box lit
show.pipeline("flow", "hal")        # several
show.pipeline()                     # none
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import LayersError
from .text import pad
from .view import View, view

__all__ = ["BOXES", "Box", "pipeline"]


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the picture."""

    name: str
    "how it is lit, e.g. `stream`"
    title: str
    says: tuple[str, str]
    "two short lines: what is in it"
    stages: str
    "stages of the workbook that are about it"
    also: tuple[str, ...] = ()
    "other words that light it, among them the compiler's names of its phases"


BOXES = (
    Box(
        "frameworks",
        "Frameworks",
        ("PyTorch · TensorFlow", "JAX · ONNX"),
        "3",
        ("pytorch", "torch", "tf", "jax", "onnx", "framework"),
    ),
    Box(
        "importers",
        "Importers",
        ("torch-mlir · iree-turbine", "iree-import-onnx · …"),
        "3",
        ("importer", "torch-mlir", "turbine", "iree-turbine"),
    ),
    Box(
        "input",
        "Input dialects",
        ("StableHLO · TOSA", "torch · linalg"),
        "3",
        ("stablehlo", "tosa", "linalg", "abi", "preprocessing", "global-optimization"),
    ),
    Box("flow", "Flow", ("dispatch regions:", "what runs together"), "4", ("dispatch-creation",)),
    Box("stream", "Stream", ("async, timepoints:", "when, and in which memory"), "4"),
    Box("hal", "HAL", ("device, command buffer,", "allocator, executable"), "5"),
    Box(
        "codegen",
        "Codegen",
        ("Linalg → Vector →", "LLVM IR / SPIR-V"),
        "6",
        ("executable-sources", "executable-configurations", "executable-targets", "executable"),
    ),
    Box("vm", "VM", ("bytecode of the host", "program, in a .vmfb"), "7"),
    Box(
        "runtime",
        "iree-runtime",
        ("VM + HAL driver:", "CPU · CUDA · Vulkan"),
        "7",
        ("iree-runtime",),
    ),
)

_ROWS = (
    ("the way in", "frameworks", "importers", "input"),
    ("the whole program", "flow", "stream", "hal"),
    ("code, and running it", "codegen", "vm", "runtime"),
)
_WIDE, _HIGH, _GAP, _TOP = 196, 66, 26, 22
_NOTE = "the number in a box is its stage; 0 and 2 walk the whole road, 1 and 8 are about all of it"


def pipeline(*lit: str | None) -> View:
    """The map of the pipeline; the boxes named in `lit` are lit.

    Args:
        lit: names of boxes (`flow`, `stream`, `hal`, `codegen`, …) or of the compiler's phases
            (`dispatch-creation` lights Flow, `executable-targets` lights Codegen).

    Raises:
        LayersError: a name that is on no box; the message has the nearest one.
    """
    on = frozenset(_box(name).name for name in lit if name is not None)
    return view([*_text(on), f"  {_NOTE}"], _svg(on), "svg")


def _box(name: str) -> Box:
    asked = name.strip().lower()
    for box in BOXES:
        if asked in (box.name, box.title.lower(), *box.also):
            return box
    known = [box.name for box in BOXES]
    near = difflib.get_close_matches(asked, known, n=1, cutoff=0.5)
    raise LayersError(
        f"the pipeline has no box {name!r}",
        expected=f"one of {', '.join(known)}",
        todo=f"did you mean {near[0]!r}?" if near else "",
    )


def _text(on: frozenset[str]) -> Iterator[str]:
    boxes = {box.name: box for box in BOXES}
    for label, *names in _ROWS:
        yield f"  {label}:"
        row: list[list[str]] = [_lines(boxes[name], name in on) for name in names]
        last = label == _ROWS[-1][0]
        for k, line in enumerate(zip(*row, strict=True)):
            joint = " ─▶ " if k == 1 else "    "
            end = "" if last else " ─┐" if k == 1 else ""
            start = " ─▶ " if k == 1 and label != _ROWS[0][0] else "    "
            yield (start + joint.join(line) + end).rstrip()


def _lines(box: Box, lit: bool) -> list[str]:
    """A box of five lines; double rules around one that is lit."""
    a, b, c, d, h, v = "╔╗╚╝═║" if lit else "┌┐└┘─│"
    wide = 28
    name = f"{'▶ ' if lit else ''}{box.title}"
    inner = [name + pad(box.stages, wide - 2 - len(name), right=True), *box.says]
    middle = [f"{v} {pad(line, wide - 2)} {v}" for line in inner]
    return [a + h * wide + b, *middle, c + h * wide + d]


def _svg(on: frozenset[str]) -> str:
    """A drawing for each row: without the drawings, the words still stand in three lines."""
    lit = ", ".join(box.title for box in BOXES if box.name in on)
    rows = "".join(f"<div>{_row(k, on)}</div>" for k in range(len(_ROWS)))
    says = f"The pipeline of IREE{f', with {lit} lit' if lit else ''}"
    return f'<div role="img" aria-label="{says}">{rows}</div><p class="m">{_NOTE}</p>'


def _row(k: int, on: frozenset[str]) -> str:
    label, *names = _ROWS[k]
    boxes = {box.name: box for box in BOXES}
    last = k == len(_ROWS) - 1
    wide, high = 3 * (_WIDE + _GAP) - _GAP + 2, _TOP + _HIGH + (2 if last else 10)
    # The first label stands at the edge, the others right of the arrow that comes down there.
    parts = [f'<text class="u" x="{30 if k else 1}" y="{_TOP - 7}">{label}:</text>']
    if k:
        parts.append(f'<path class="ln" d="M18 0v{_TOP - 5}"/>')
        parts.append(f'<path class="ar" d="M14 {_TOP - 7}h8l-4 6z"/>')
    for column, name in enumerate(names):
        x = 1 + column * (_WIDE + _GAP)
        parts.append(_rectangle(boxes[name], x, _TOP, name in on))
        if column < len(names) - 1 or not last:
            hidden = ' class="h"' if column == len(names) - 1 else ""
            parts.append(f'<text{hidden} x="{x + _WIDE + 3}" y="{_TOP + _HIGH // 2 + 5}">→</text>')
    if not last:
        # From the end of this row to the start of the next one.
        parts.append(f'<path class="ln" d="M{wide - 1 - _WIDE // 2} {_TOP + _HIGH}v9H18v1"/>')
    drawn = " ".join(parts)
    return f'<svg viewBox="0 0 {wide} {high}" width="{wide}">{drawn}</svg>'


def _rectangle(box: Box, x: int, y: int, lit: bool) -> str:
    state = ' class="on"' if lit else ""
    mark = "▸ " if lit else ""
    first, second = box.says
    return (
        f'<g{state} transform="translate({x} {y})">'
        f'<rect class="bx" width="{_WIDE}" height="{_HIGH}" rx="7"/>'
        f'<text class="y" x="11" y="21">{mark}{box.title}</text> '
        f'<text class="e" x="{_WIDE - 11}" y="21">{box.stages}</text> '
        f'<text class="u" x="11" y="40">{first}</text> '
        f'<text class="u" x="11" y="55">{second}</text></g>'
    )
