"""Kernels: what a dispatch runs, described by the ops in its body.

In: the program at the end of `flow`. The op that gave a kernel its form (a reduction, a product, a
named op) is its root. Rests on `flow.executable` (3.13.0).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .live import short, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Kernel", "kernels_of", "label"]

# Ops in a kernel that say what it computes; the rest moves data or makes constants.
_COMPUTES = ("linalg.", "iree_linalg_ext.", "tensor.pack", "tensor.unpack", "tensor.pad")
_SILENT = ("linalg.fill", "linalg.yield", "linalg.index", "iree_linalg_ext.yield")
_BODIES = ("scf.for", "scf.if", "scf.forall")


@dataclass(frozen=True, slots=True)
class Kernel:
    """One `flow.executable`: what a dispatch runs."""

    name: str
    "symbol of the function that is exported, e.g. `mlp_dispatch_0_matmul_4x16x8_f32`"
    executable: str
    ops: tuple[str, ...]
    "computing ops of its body in order, e.g. `linalg.matmul`, `linalg.generic`"
    root: str
    "the op that decides its form: one with a reduction, else the last"

    @property
    def label(self) -> str:
        """The name without what every kernel of the program shares: `0 matmul_4x16x8_f32`."""
        return label(self.name)


def kernels_of(module: Any) -> Iterator[Kernel]:
    """All kernels of a module, in its order."""
    for op in walk(module):
        if op.name != "flow.executable":
            continue
        executable = short(op.attributes["sym_name"])
        for inner in walk(op):
            if inner.name == "func.func":
                yield _kernel(short(inner.attributes["sym_name"]), executable, inner)


def _kernel(name: str, executable: str, function: Any) -> Kernel:
    ops = [
        op
        for op in walk(function)
        if op.name.startswith(_COMPUTES)
        and op.name not in _SILENT
        and _stands_in(op, ("func.func", *_BODIES))
    ]
    names = tuple(op.name for op in ops)
    reducing = [op.name for op in ops if _reduces(op)]
    return Kernel(name, executable, names, next(iter(reducing), names[-1] if names else ""))


def _stands_in(op: Any, names: tuple[str, ...]) -> bool:
    """The op stands directly in one of these, and not in the body of another op."""
    return op.parent is not None and op.parent.name in names


def _reduces(op: Any) -> bool:
    if op.name != "linalg.generic":
        return True  # a named op: matmul, conv, softmax, attention, …
    return "reduction" in str(op.attributes["iterator_types"])


def label(name: str) -> str:
    """The name of a kernel without what every kernel of the program shares."""
    # `mlp_dispatch_0_matmul_4x16x8_f32`, `main_dispatch_10_softmax_2x16xf32_dispatch_tensor_store`
    found = re.match(r".*?_dispatch_(\d.*)", name)
    return found[1] if found else name
