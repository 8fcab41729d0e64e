"""The process that runs compiled code: `python -m iree_layers.execute.worker`.

It reads jobs from its stdin and answers on its stdout, until stdin ends. For each job it sends one
of `("result", arrays)`, `("refused", parts of a RunError)`, or first `("need", digest)`, and then
reads the module's bytes.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, BinaryIO

from ..errors import RunError
from .engine import Engine, Job
from .module import Module
from .wire import receive, send

__all__ = ["main", "parts_of", "serve"]


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer jobs until the requests end."""
    engine = Engine()

    def fetch() -> Module:
        send(answers, ("need", job.digest))
        module: Module = receive(requests)
        return module

    while True:
        try:
            job: Job = receive(requests)
        except EOFError:
            return
        try:
            answer: tuple[str, Any] = ("result", engine.call(job, fetch))
        except RunError as error:
            answer = ("refused", parts_of(error))
        except Exception as error:
            found = f"{type(error).__name__} while running {job.origin}: {error}"
            answer = ("refused", {"found": found})
        send(answers, answer)


def parts_of(error: RunError) -> dict[str, str]:
    """What a RunError is made from, so that the other side can raise it again."""
    return {
        "found": error.found,
        "expected": error.expected,
        "todo": error.todo,
        "command": error.command,
    }


def main() -> None:
    """Serve on this process's own pipes."""
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever a driver prints must not end up among the answers.
    os.dup2(2, 1)
    # An interrupt is for the notebook; it ends this process itself if it wants to.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        serve(sys.stdin.buffer, answers)
    except (BrokenPipeError, EOFError):
        pass
    # Drivers' exit handlers can hang or crash, and there is nothing left to save.
    os._exit(0)


if __name__ == "__main__":
    main()
