"""One row of a benchmark: what we took, what the reference took in the same run, and the goal.

Absolute seconds say something about the machine; only the ratio says something about the code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Row", "table"]


@dataclass(frozen=True)
class Row:
    """One comparison, measured within one run."""

    what: str
    ours: float
    reference: str
    "what it is compared with"
    theirs: float
    goal: float | None = None
    "the ratio `ours / theirs` should be at most this"
    unit: str = "s"

    @property
    def ratio(self) -> float:
        """Ours by theirs: smaller is better."""
        return self.ours / self.theirs

    @property
    def met(self) -> bool | None:
        """Is the goal met? None where there is none."""
        return None if self.goal is None else self.ratio <= self.goal


def table(rows: Iterable[Row]) -> str:
    """The rows as aligned text, one line each."""
    head = ("what", "ours", "reference", "theirs", "ratio", "goal", "")
    lines = [head]
    for row in rows:
        goal = "" if row.goal is None else f"≤ {row.goal:g}"
        verdict = {True: "ok", False: "MISSED", None: ""}[row.met]
        lines.append(
            (
                row.what,
                f"{row.ours:.3g} {row.unit}",
                row.reference,
                f"{row.theirs:.3g} {row.unit}",
                f"{row.ratio:.3f}",
                goal,
                verdict,
            )
        )
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
