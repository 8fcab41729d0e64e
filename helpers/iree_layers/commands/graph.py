"""`iree-layers graph`: which kernels a program launches, when, and in which memory."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import Any

from ..compare.graph import Graph, graph
from ..compare.schedule import Schedule, schedule
from ..compile.program import program
from ..compile.target import Target
from ..dump.trace import Trace, trace
from ..errors import LayersError
from ..show.graph import graph as show_graph
from ..show.page import page
from ..show.schedule import schedule as show_schedule
from .facts import say
from .open import opened

__all__ = ["run_graph"]


def run_graph(options: argparse.Namespace) -> int:
    """Print the dispatch graph and the schedule, or write both as one HTML page."""
    traced = _traced(options)
    launches = graph(traced, function=options.function)
    planned = schedule(traced, function=options.function)
    views = [show_graph(launches), show_schedule(planned)]
    text = "\n\n".join(view.text for view in views)
    if options.out:
        title = f"{traced.program.name}: dispatches and schedule"
        options.out.write_text(page(views, title=title), encoding="utf-8")
        text = f"{text}\n\ndrawn in {options.out}"
    say(options.json, _facts(launches, planned), text)
    return 0


def _traced(options: argparse.Namespace) -> Trace:
    """The trace of a program, or one that was kept."""
    path = Path(options.program).expanduser()
    if path.suffix == ".trace" or (path.is_dir() and next(path.glob("*.trace"), None)):
        found = opened(options.program)
        if isinstance(found, Trace):
            return found
        raise LayersError(f"{path} is a dump without its program", expected="a program or a trace")
    target = Target.named(options.target).with_flags(*options.flag)
    source = program(options.program, road=options.road)
    return trace(source, target, files=False, progress=False if options.json else None)


def _facts(launches: Graph, planned: Schedule) -> dict[str, Any]:
    return {
        "function": launches.function,
        "dispatches": [vertex.name for vertex in launches.dispatches],
        "kernels": {kernel.name: list(kernel.ops) for kernel in launches.kernels},
        "edges": [dataclasses.asdict(edge) for edge in launches.edges],
        "steps": [
            [work.number for work in planned.works if work.step == step]
            for step in range(planned.steps)
        ],
        "works": [dataclasses.asdict(work) for work in planned.works],
        "transient_bytes": planned.transient,
        "unpacked_bytes": planned.unpacked,
        "others": sorted({*launches.others, *planned.others}),
    }
