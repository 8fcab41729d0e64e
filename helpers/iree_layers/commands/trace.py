"""`iree-layers trace`: capture every layer of one program and keep it in a folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..compile.program import Program, program
from ..compile.target import Target
from ..dump.keep import check_folder, keep
from ..dump.trace import Trace, trace
from ..errors import CompileError
from ..show.summary import summary
from .facts import facts_of, say

__all__ = ["run_trace"]


def run_trace(options: argparse.Namespace) -> int:
    """`iree-layers trace`: capture every layer of one program and keep it in a folder."""
    target = Target.named(options.target).with_flags(*options.flag)
    source = program(options.program, road=options.road)
    folder = options.out or Path(f"{source.name}.layers")
    replaced = check_folder(folder, source.name)  # before the compile, which may take long
    try:
        traced = _trace(source, target, options)
    except CompileError as error:
        if isinstance(error.partial, Trace) and len(error.partial):
            keep(error.partial, folder)
            then = f"the {len(error.partial)} snapshots until then are in {folder}"
            then += ", instead of an earlier trace" if replaced else ""
            error.todo = "; ".join(filter(None, (error.todo, then)))
        raise
    keep(traced, folder)
    facts = facts_of(traced.dump, traced) | {
        "phases": len(traced.phases),
        "phase_files": {name: str(folder / "phases" / p.name) for name, p in traced.phases.items()},
        "vmfb": str(folder / traced.vmfb.name) if traced.vmfb else None,
        "road": source.road,
        "import": list(source.commands),
        "command": traced.command,
        "target": target.name,
        "seconds": round(traced.seconds, 3),
        "out": str(folder),
        "replaced": replaced,
    }
    say(options.json, facts, f"{summary(traced)}\n{_where(traced, folder, replaced)}")
    return 0


def _trace(source: Program, target: Target, options: argparse.Namespace) -> Trace:
    return trace(
        source,
        target,
        scope=options.scope,
        only=options.only,
        layer=options.layer,
        changed=options.changed,
        locations=options.locations,
        progress=False if options.json else None,
    )


def _where(traced: Trace, folder: Path, replaced: bool) -> str:
    lines = [f"kept in {folder}: {traced.program.name}.trace, phases/, files/"]
    if traced.vmfb:
        run = "to read, not to run" if traced.target.purpose == "print" else "ready to run"
        lines[0] += f", {traced.vmfb.name} ({run}; target {traced.target.name})"
    if replaced:
        lines.append("(it replaced an earlier trace of the same program)")
    return "\n".join(lines)
