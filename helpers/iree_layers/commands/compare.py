"""`iree-layers compare`: two traces or dumps, and the first pass at which they part."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from ..compare.comparison import Comparison, compare
from ..errors import DumpError
from ..show.comparison import comparison
from ..show.diff import diff as show_diff
from .facts import say
from .open import opened

__all__ = ["run_compare"]


def run_compare(options: argparse.Namespace) -> int:
    """Print where two compiles part; with `--diff`, the texts at that pass. 0 also if they do."""
    found = compare(opened(options.a), opened(options.b))
    if options.layer:
        found = _only(found, options.layer)
    text = str(comparison(found))
    if options.diff and found.first:
        text += f"\n\n{show_diff(found.diff(found.first), title=found.first.name)}"
    say(options.json, _facts(found), text)
    return 0


def _only(found: Comparison, layer: str) -> Comparison:
    kept = tuple(pair for pair in found.pairs if pair.layer == layer)
    if not kept:
        known = ", ".join(row.layer for row in found.layers)
        raise DumpError(f"neither has a layer {layer!r}", expected=f"one of {known}")
    return Comparison(found.a, found.b, kept, found.inputs_differ)


def _facts(found: Comparison) -> dict[str, Any]:
    return {
        "equal": found.equal,
        "inputs_differ": found.inputs_differ,
        "first": dataclasses.asdict(found.first) if found.first else None,
        "options": list(found.options(found.first)) if found.first else None,
        "layers": {row.layer: dataclasses.asdict(row) for row in found.layers},
    }
