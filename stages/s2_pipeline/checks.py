"""Questions of stage 2, the runs that they need, and where its checks are.

`searches` has the exercises whose answer stands in a trace, `programs` those whose answer is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from iree_layers.compare import changes
from iree_layers.compile import Target, program
from iree_layers.dump import Trace, trace

from .digits import classifier
from .host import host_function
from .programs import check_2_4, check_2_5, check_2_6, check_2_8, check_2_10
from .searches import check_2_1, check_2_2, check_2_3, check_2_7, check_2_9

__all__ = [
    "CONTEXT",
    "answer_2_q1",
    "answer_2_q2",
    "answer_2_q3",
    "answer_2_q4",
    "check_2_1",
    "check_2_2",
    "check_2_3",
    "check_2_4",
    "check_2_5",
    "check_2_6",
    "check_2_7",
    "check_2_8",
    "check_2_9",
    "check_2_10",
]

HERE = Path(__file__).parent


@cache
def mlp_trace() -> Trace:
    """The 12-line program, traced for the CPU that the text talks about."""
    return trace(program(HERE / "mlp.mlir"), Target.TEXT)


@cache
def digits_trace() -> Trace:
    """The trained classifier, traced likewise."""
    model, inputs = classifier()
    return trace(program(model, *inputs, name="digits"), Target.TEXT)


@cache
def vulkan_trace() -> Trace:
    """The 12-line program for a GPU."""
    return trace(program(HERE / "mlp.mlir"), Target.vulkan("llvmpipe"))


CONTEXT: dict[str, Callable[[], object]] = {
    "t": mlp_trace,
    "d": digits_trace,
    "g": vulkan_trace,
}


def answer_2_q1(*, t: Trace) -> int:
    """Snapshots of the run."""
    return len(t)


def answer_2_q2(*, t: Trace) -> int:
    """Snapshots that differ from the IR before their pass."""
    return sum(change.changed for change in changes(t))


def answer_2_q3(*, t: Trace) -> int:
    """Calls of the device in the host program."""
    return host_function(t.phase("stream")).count("stream.cmd.dispatch ")


def answer_2_q4(*, t: Trace) -> str:
    """First phase whose host function computes on no tensor.

    `stream.tensor.import` and `.export` still *name* a tensor type: it is the shape of the view,
    not the type of a value.
    """
    return next(
        phase
        for phase in t.phases
        if (host := host_function(t.phase(phase)))
        and not re.search(r"= (?:flow\.dispatch|linalg\.|arith\.\w+f|hal\.tensor\.)", host)
    )
