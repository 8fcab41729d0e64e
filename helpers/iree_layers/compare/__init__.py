"""Snapshots → findings: what changed, which pass did it, which ops are where."""

from .census import Census, census, dialects, ops
from .changes import Change, Changes, changes
from .comparison import Comparison, compare
from .diff import diff
from .difference import Diff, Hunk, Row
from .find import Found, Hit, find
from .graph import Graph, graph, kernels
from .layers import LayerRow, LayerTable, layers
from .normalise import ALL, Normalised, Rule, expand, normalise
from .predecessor import Before, before
from .schedule import Schedule, schedule

__all__ = [
    "ALL",
    "Before",
    "Census",
    "Change",
    "Changes",
    "Comparison",
    "Diff",
    "Found",
    "Graph",
    "Hit",
    "Hunk",
    "LayerRow",
    "LayerTable",
    "Normalised",
    "Row",
    "Rule",
    "Schedule",
    "before",
    "census",
    "changes",
    "compare",
    "dialects",
    "diff",
    "expand",
    "find",
    "graph",
    "kernels",
    "layers",
    "normalise",
    "ops",
    "schedule",
]
