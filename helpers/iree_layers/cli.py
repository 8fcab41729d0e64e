"""The command `iree-layers`: the library on a learner's own models and dumps.

    iree-layers trace PROGRAM [--target T] [--out DIR] [--json]   compile, keep every layer
    iree-layers open FILE [--json]                                read any dump, also an old one
    iree-layers doctor [--json]                                   what works on this machine

Exit code 0 only when it worked: 1 for an error (one short paragraph on stderr), 2 for a wrong
command line, 130 for Ctrl-C, 143 for SIGTERM. A compile that is stopped takes its children with it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .compare.layers import layers
from .compile.doctor import doctor
from .compile.program import Program, program
from .compile.target import Target
from .dump.dump import Dump, open_dump
from .dump.folder import TreeDump
from .dump.keep import check_folder, keep
from .dump.opening import trace_in
from .dump.store import is_stored, load
from .dump.trace import Trace, trace
from .errors import CompileError, LayersError
from .show.summary import summary

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; gives the exit code."""
    options = _parser().parse_args(arguments)
    try:
        with _stoppable():
            done = int(options.run(options))
            sys.stdout.flush()
            return done
    except LayersError as error:
        _say(str(error))
        return 1
    except KeyboardInterrupt as stop:
        _say("stopped; nothing was kept")
        return 128 + int(stop.args[0] if stop.args else signal.SIGINT)
    except OSError as error:
        # A full disk below stdout, or a reader (`| head`) that has enough.
        if not isinstance(error, BrokenPipeError):
            _say(" ".join(filter(None, (error.strerror or str(error), error.filename))))
        _drop_stdout()
        return 1


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """SIGTERM and a closed terminal stop as Ctrl-C does: Python itself would leave the compiler."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        names = []
    numbers = [signal.Signals[name] for name in names]
    mine = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in mine:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt(number)


def _say(what: str) -> None:
    with contextlib.suppress(OSError):
        print(f"iree-layers: {what}", file=sys.stderr)


def _drop_stdout() -> None:
    """Python would complain again when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    facts = _facts(traced.dump, traced) | {
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
    _print(options.json, facts, f"{summary(traced)}\n{_where(traced, folder, replaced)}")
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


def run_open(options: argparse.Namespace) -> int:
    """`iree-layers open`: what is in a dump, a folder of dumps, or a stored trace."""
    found = _opened(options.file)
    dump = found.dump if isinstance(found, Trace) else found
    _print(options.json, _facts(dump, found), str(summary(found)))
    return 0


def _opened(file: str) -> Trace | Dump:
    """A stored trace as that: it knows more than its dump, e.g. that only changes were printed."""
    path = Path(file).expanduser()
    if file != "-" and (is_stored(path) or (path.is_dir() and trace_in(path))):
        found = load(path)
        if isinstance(found, Trace):
            return found
    return open_dump(file)


def run_doctor(options: argparse.Namespace) -> int:
    """`iree-layers doctor`: exit 0 if all that the workbook needs is there."""
    report = doctor()
    _print(options.json, report.as_json(), str(report))
    return 0 if report.ok else 1


def _facts(dump: Dump, source: Dump | Trace) -> dict[str, Any]:
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


def _print(as_json: bool, facts: dict[str, Any], text: str) -> None:
    print(json.dumps(facts, indent=2, ensure_ascii=False) if as_json else text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="iree-layers", description="See, split and compare what IREE does at every layer."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("trace", help="compile a program and keep the IR of every layer")
    one.add_argument("program", help="model.mlir, .onnx, .tflite, a SavedModel, or model.py:NAME")
    one.add_argument("--road", help="which front end, e.g. torch-mlir:tosa (the first that fits)")
    one.add_argument("--target", default="text", help="text, host, vulkan, cuda:sm_80, … (text)")
    one.add_argument("--out", type=Path, help="folder for the result (NAME.layers)")
    one.add_argument("--scope", choices=["op", "module"], default="op", help="what a pass prints")
    one.add_argument("--only", metavar="@SYMBOL", help="keep what matches this symbol; * allowed")
    one.add_argument("--layer", help="print the passes of one layer only, e.g. stream")
    one.add_argument("--changed", action="store_true", help="print only passes that changed the IR")
    one.add_argument("--locations", action="store_true", help="print source locations")
    one.add_argument("--flag", action="append", default=[], help="one more flag for iree-compile")
    one.add_argument("--json", action="store_true", help="print facts as JSON")
    one.set_defaults(run=run_trace)

    two = commands.add_parser("open", help="read a dump, made here or elsewhere, by any IREE")
    two.add_argument("file", help="a dump, a .trace, a folder of dumps or phases, or - for stdin")
    two.add_argument("--json", action="store_true", help="print facts as JSON")
    two.set_defaults(run=run_open)

    three = commands.add_parser("doctor", help="say what works on this machine, and what to do")
    three.add_argument("--json", action="store_true", help="print checks as JSON")
    three.set_defaults(run=run_doctor)
    return parser


if __name__ == "__main__":
    sys.exit(main())
