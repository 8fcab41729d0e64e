"""Run, clean, store and check notebooks: `python -m iree_layers.learn.notebook`.

    refresh  NOTEBOOK…            run all cells in a new kernel, store the outputs
    validate NOTEBOOK…            print what breaks the rules of this repository, one line each
    build    SCRIPT.py NOTEBOOK   percent text → notebook, then refresh
    text     NOTEBOOK             print the percent text of a notebook

Rests on nbclient, nbformat and nbval (extra `[test]`): the kernel is the one that `pytest --nbval`
starts, in the same environment, so what is stored is what is compared. Nothing volatile is kept:
no timings, no Python version, no widget state, and cell ids are made from the cells' text.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..errors import LayersError
from .ipynb import clean, read, write
from .kernel import KERNEL_ENV, run
from .rules import validate
from .script import Notebook, from_text, to_text

__all__ = [
    "KERNEL_ENV",
    "build",
    "from_text",
    "main",
    "read",
    "refresh",
    "to_text",
    "validate",
    "write",
]


def refresh(path: Path, *, force: bool = False, timeout: float = 600) -> bool:
    """Run a stored notebook and store its outputs; True if the file was rewritten.

    A run in which only cells tagged `nbval-ignore-output` came out differently is not stored:
    their outputs differ each time, and the file would too.

    Args:
        path: the notebook.
        force: store the run in any case.
        timeout: longest time for one cell, in seconds.

    Raises:
        ExerciseError: a cell failed; the file is as it was.
    """
    before = read(path)
    return _store(run(before, path.parent, timeout=timeout), path, force=force)


def build(script: Path, path: Path, *, timeout: float = 600) -> bool:
    """Make the notebook at `path` from a percent text and run it; True if the file changed.

    Raises:
        ExerciseError: the text is not understood, or as `refresh`; the file is as it was.
    """
    notebook = from_text(script.read_text(encoding="utf-8"))
    return _store(run(notebook, path.parent, timeout=timeout), path, force=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line of this module; the exit code is 0 only when all went well."""
    options = _options().parse_args(arguments)
    try:
        return _command(options)
    except (LayersError, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1


def _command(options: argparse.Namespace) -> int:
    if options.command == "text":
        print(to_text(read(options.notebook)), end="")
        return 0
    if options.command == "build":
        changed = build(options.script, options.notebook, timeout=options.timeout)
        print(f"{options.notebook}: {'written' if changed else 'unchanged'}")
        return _report([options.notebook])
    if options.command == "refresh":
        for path in options.notebooks:
            changed = refresh(path, force=options.force, timeout=options.timeout)
            print(f"{path}: {'written' if changed else 'unchanged'}", flush=True)
    return _report(options.notebooks)


def _report(paths: Sequence[Path]) -> int:
    """Print what breaks the rules, on stderr; the exit code."""
    problems = [f"{path}: {problem}" for path in paths for problem in validate(path)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m iree_layers.learn.notebook")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one cell")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("refresh", help="run all cells and store the outputs")
    one.add_argument("notebooks", nargs="+", type=Path)
    one.add_argument("--force", action="store_true", help="store new outputs of ignored cells too")
    one = commands.add_parser("validate", help="print what breaks the rules")
    one.add_argument("notebooks", nargs="+", type=Path)
    one = commands.add_parser("build", help="percent text → notebook, then refresh")
    one.add_argument("script", type=Path)
    one.add_argument("notebook", type=Path)
    one = commands.add_parser("text", help="print the percent text")
    one.add_argument("notebook", type=Path)
    return parser


def _store(notebook: Notebook, path: Path, *, force: bool) -> bool:
    if not force and path.exists():
        stored = read(path)
        if stored == clean(stored) and _compared(stored) == _compared(notebook):
            return False
    return write(notebook, path)


def _compared(notebook: Notebook) -> list[object]:
    """What nbval compares: all of a cell, but not the outputs of one that is tagged."""
    return [
        {**cell, "outputs": None}
        if "nbval-ignore-output" in cell["metadata"].get("tags", [])
        else cell
        for cell in clean(notebook)["cells"]
    ]


if __name__ == "__main__":
    sys.exit(main())
