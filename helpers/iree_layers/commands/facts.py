"""What a command prints: facts as JSON, or a text for people."""

from __future__ import annotations

import json
from typing import Any

from ..compare.layers import layers
from ..dump.dump import Dump
from ..dump.folder import TreeDump
from ..dump.trace import Trace

__all__ = ["facts_of", "say"]


def facts_of(dump: Dump, source: Dump | Trace) -> dict[str, Any]:
    """Counts of a dump or a trace, for `--json`."""
    return {
        "snapshots": len(dump),
        "failed": len(dump.failed),
        "distinct": dump.distinct,
        "bytes": dump.size,
        "missing": dump.missing if isinstance(dump, TreeDump) else 0,
        "noise_bytes": dump.noise_bytes,
        "unattributed_bytes": dump.unattributed_bytes,
        "guessed": any(snapshot.guessed for snapshot in dump),
        "layers": {
            row.name: {"snapshots": row.snapshots, "changed": row.changed} for row in layers(source)
        },
    }


def say(as_json: bool, facts: dict[str, Any], text: str) -> None:
    """Print one of the two."""
    print(json.dumps(facts, indent=2, ensure_ascii=False) if as_json else text)
