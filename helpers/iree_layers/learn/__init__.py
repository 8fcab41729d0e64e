"""Exercises that a notebook asks and checks, questions to guess before a run answers, progress.

    check("2.3", answer)     was it right: what was expected, what was found, where to look
    hint("2.3")              the next hint; solution("2.3") when nothing else helps
    predict("2.q1", 700)     your guess beside what your own run says
    progress()               what you have solved so far

Everything about a stage is in its folder `stages/<stage>/`; `manifest` describes the layout.
`iree_layers.learn.notebook` runs and stores notebooks and is imported by nothing here.
"""

from __future__ import annotations

from .catalogue import stage, stages
from .exercise import check, stub
from .hint import Hint, Solution, hint, solution
from .manifest import Exercise, Question, Stage
from .progress import Progress, progress, reset
from .question import Revealed, predict
from .verdict import TODO, Verdict, not_yet, right, wrong

__all__ = [
    "TODO",
    "Exercise",
    "Hint",
    "Progress",
    "Question",
    "Revealed",
    "Solution",
    "Stage",
    "Verdict",
    "check",
    "hint",
    "not_yet",
    "predict",
    "progress",
    "reset",
    "right",
    "solution",
    "stage",
    "stages",
    "stub",
    "wrong",
]
