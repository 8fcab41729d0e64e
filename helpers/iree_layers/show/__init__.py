"""Values → views: plain text for a terminal, HTML and SVG for JupyterLab."""

from .borders import borders
from .census import census
from .command import command
from .comparison import comparison
from .diff import diff
from .graph import graph
from .ir import ir
from .life import life
from .page import page, picture
from .passes import passes
from .pipeline import pipeline
from .record import record
from .schedule import schedule
from .steps import steps
from .strip import drawing, strip
from .summary import summary
from .tree import tree
from .view import View

__all__ = [
    "View",
    "borders",
    "census",
    "command",
    "comparison",
    "diff",
    "drawing",
    "graph",
    "ir",
    "life",
    "page",
    "passes",
    "picture",
    "pipeline",
    "record",
    "schedule",
    "steps",
    "strip",
    "summary",
    "tree",
]
