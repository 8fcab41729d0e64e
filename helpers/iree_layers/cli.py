"""The command `iree-layers`: the library on a learner's own models and dumps.

    iree-layers trace PROGRAM [--target T] [--out DIR] [--json]   compile, keep every layer
    iree-layers open FILE [--json]                                read any dump, also an old one
    iree-layers graph PROGRAM [--out page.html] [--json]          kernels, schedule and memory
    iree-layers compare A B [--diff] [--json]                     where two compiles part
    iree-layers doctor [--json]                                   what works on this machine

Exit code 0 only when it worked: 1 for an error (one short paragraph on stderr), 2 for a wrong
command line, 130 for Ctrl-C, 143 for SIGTERM. A compile that is stopped takes its children with it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from .commands.compare import run_compare
from .commands.doctor import run_doctor
from .commands.graph import run_graph
from .commands.open import run_open
from .commands.trace import run_trace
from .errors import LayersError

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

    graph = commands.add_parser("graph", help="draw dispatches, schedule and memory of a program")
    graph.add_argument("program", help="what `trace` takes, or a trace that was kept")
    graph.add_argument("--function", help="which one (the first that launches something)")
    graph.add_argument("--road", help="which front end, e.g. torch-mlir:tosa (the first that fits)")
    graph.add_argument("--target", default="text", help="text, host, vulkan, cuda:sm_80, … (text)")
    graph.add_argument("--flag", action="append", default=[], help="one more flag for iree-compile")
    graph.add_argument("--out", type=Path, help="write the drawings as one HTML page")
    graph.add_argument("--json", action="store_true", help="print facts as JSON")
    graph.set_defaults(run=run_graph)

    both = commands.add_parser("compare", help="say where two compiles part, pass by pass")
    both.add_argument("a", help="a trace, its folder, or a dump")
    both.add_argument("b", help="another, e.g. with other flags or for another target")
    both.add_argument("--layer", help="look at one layer only, e.g. stream")
    both.add_argument("--diff", action="store_true", help="print the two texts where they part")
    both.add_argument("--json", action="store_true", help="print facts as JSON")
    both.set_defaults(run=run_compare)

    three = commands.add_parser("doctor", help="say what works on this machine, and what to do")
    three.add_argument("--json", action="store_true", help="print checks as JSON")
    three.set_defaults(run=run_doctor)
    return parser


if __name__ == "__main__":
    sys.exit(main())
