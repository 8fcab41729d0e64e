"""How long a dump will be, and how long it will take, before it is printed.

Two silent compiles tell almost everything: one writes the phase files, whose sizes are those of the
module at the borders of each phase; the other prints headers without bodies
(`--mlir-print-skip-regions`), which counts the snapshots of each phase exactly. What is left are
two factors per phase, bytes printed over the mean of the module's sizes before and after. They
hardly depend on the program. Fitted with IREE 3.13.0 to an MLP, digits and transformer encoders of
1, 2 and 4 layers for llvm-cpu, the forecast was then within 20 % on what was held out: a CNN, three
layers, the targets vmvx and vulkan; and 25 % too low where inline weights are evaluated by the
compiler, which prints a nested compilation.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .build import build
from .capture import capture
from .phases import PHASES, phase_files
from .printing import ELIDE, Scope
from .shim import shim
from .target import Target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .program import Program

__all__ = ["ERROR", "Forecast", "forecast"]

ERROR = 0.35
"relative; the dump is between (1 - ERROR) and (1 + ERROR) times the forecast"

_BIG = 1 << 30

# phase: (bytes at op scope, bytes at module scope per snapshot), both in modules of that phase
_PRINTED = {
    "input": (47.0, 1.3),
    "abi": (10.5, 1.0),
    "preprocessing": (8.2, 1.0),
    "global-optimization": (53.0, 1.03),
    "dispatch-creation": (46.0, 0.76),
    "flow": (25.0, 1.03),
    "stream": (158.0, 1.28),
    "executable-sources": (16.5, 0.98),
    "executable-configurations": (16.5, 1.0),
    "executable-targets": (70.0, 0.78),
    "hal": (58.0, 0.88),
    "vm": (54.0, 1.0),
}
# Passes of the phase `input` for a program of torch ops; one of linalg needs 6.
_INPUT_PASSES = 36

# Bytes a second beyond the silent compile, one core of 2026.
_RATES = {"shim": 45e6, "pipe": 14e6}

# 3.13.0: … IR Dump After DumpModulePass: iree-util-dump-module{path=phases/mlp.6.flow.mlir} …
_COUNTED = re.compile(
    r"^// -----// IR Dump .*?(?:iree-util-dump-module\{path=phases/.*?\.\d+\.([a-z-]+)\.mlir)?\}?"
    r" //----- //",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Forecast:
    """What a printing run would leave."""

    program: str
    scope: Scope
    snapshots: int
    "counted, not estimated"
    bytes: int
    "of the dump, ± `ERROR`"
    seconds: float
    "of the run, on a machine with nothing else to do"
    advice: str
    "how to get a smaller dump; '' if this one is small"

    @property
    def low(self) -> int:
        """The least bytes to expect."""
        return int(self.bytes * (1 - ERROR))

    @property
    def high(self) -> int:
        """The most bytes to expect."""
        return int(self.bytes * (1 + ERROR))

    def __str__(self) -> str:
        size = f"{self.low / 1e6:,.0f} to {self.high / 1e6:,.0f} MB in {self.snapshots} snapshots"
        text = f"{self.program} at {self.scope} scope: {size}, about {self.seconds:.0f} s"
        return f"{text}\n{self.advice}" if self.advice else text


def forecast(
    program: Program,
    target: Target = Target.TEXT,
    *,
    scope: Scope = "op",
    flags: Sequence[str] = (),
    timeout: float | None = None,
) -> Forecast:
    """Estimate a dump by two silent compiles.

    Raises:
        CompileError: the program does not compile.
    """
    silent = ["--dump-compilation-phases-to=phases", *ELIDE, *flags]
    built = build(program, target, flags=silent, timeout=timeout)
    sizes = {
        name: path.stat().st_size for name, path in phase_files(built.owner.path / "phases").items()
    }
    headers = ["--mlir-print-skip-regions", *flags]
    counting = capture(program, target, flags=headers, progress=False, timeout=timeout)
    counts = snapshots_by_phase(counting.dump.read_text(errors="replace"))
    total = expected_bytes(sizes, counts, scope)
    rate = _RATES["shim" if shim().path else "pipe"]
    seconds = built.seconds + total / rate
    return Forecast(
        program.name, scope, sum(counts.values()), total, seconds, _advice(total, scope)
    )


def snapshots_by_phase(dump: str) -> Counter[str]:
    """Number of snapshots up to and with the marker of each phase; what follows is the last's."""
    counts: Counter[str] = Counter()
    waiting = 0
    phase = PHASES[-1]
    for found in _COUNTED.finditer(dump):
        waiting += 1
        if found[1]:
            phase = found[1]
            counts[phase] += waiting
            waiting = 0
    counts[phase] += waiting
    return counts


def expected_bytes(sizes: Mapping[str, int], counts: Mapping[str, int], scope: Scope) -> int:
    """Bytes of a dump, from the module's size at the end of each phase and the snapshots in it."""
    total = 0.0
    previous = next(iter(sizes.values()), 0)
    for phase, size in sizes.items():
        mean = (previous + size) / 2
        previous = size
        at_op, each_module = _PRINTED[phase]
        if phase == "input":
            at_op *= counts.get(phase, 0) / _INPUT_PASSES
        total += mean * (at_op if scope == "op" else each_module * counts.get(phase, 0))
    return round(total)


def _advice(total: int, scope: Scope) -> str:
    if total < _BIG:
        return ""
    smaller = "scope='op' (a tenth), " if scope == "module" else ""
    return f"smaller: {smaller}only_layer='flow', changed=True (a half)"
