"""The command buffer that the compiler writes: three forms of it, by flag, and what each shows.

In: flags of iree-compile. Out: a `Form`, read from the IR at the end of phase `hal`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from iree_layers.compile import Target, build, program
from iree_layers.execute import record

from ..s2_pipeline.mlp import inputs

__all__ = ["FORMS", "Form", "calls", "form", "forms", "module"]

MLP = Path(__file__).parents[1] / "s2_pipeline" / "mlp.mlir"

FORMS: dict[str, tuple[str, ...]] = {
    "default": (),
    "--iree-hal-memoization=false": ("--iree-hal-memoization=false",),
    "--iree-hal-indirect-command-buffers=false": ("--iree-hal-indirect-command-buffers=false",),
}


@dataclass(frozen=True, slots=True)
class Form:
    """How a module records and submits its commands."""

    recorded: str
    "the function that records: the entry point itself, or one that an initialiser calls"
    mode: str
    "`OneShot` if it is submitted once, else `None`"
    slots: int
    "entries of the binding table that a submission must give; 0: buffers are in the recording"
    submitted: str
    "the op that submits it"

    @property
    def memoized(self) -> bool:
        """It is recorded once, when the module is loaded."""
        return "memoize" in self.recorded

    @property
    def indirect(self) -> bool:
        """Buffers come with each submission, in a table."""
        return self.slots > 0


@cache
def form(*flags: str) -> Form:
    """What a compile of mlp.mlir with these flags makes.

    Raises:
        CompileError: the compiler does not know a flag.
    """
    text = build(program(MLP), Target.TEXT.with_flags(*flags), compile_to="hal").vmfb.read_text()
    return read(text)


def read(text: str) -> Form:
    """The form of the first command buffer of a module at the end of phase `hal`."""
    # %cmd = hal.command_buffer.create device(…) mode(OneShot) … bindings(%c4) : !hal.…    (3.13.0)
    head, line, _ = re.split(r"(hal\.command_buffer\.create .*)", text, maxsplit=1)
    slots = re.search(r" bindings\(%c(\d+)\)", line)
    mode = re.search(r'mode\("?(\w+)"?\)', line)
    submitted = re.search(r"hal\.device\.queue\.execute[.\w]*", text)
    assert mode
    assert submitted
    return Form(
        recorded=re.findall(r"util\.func \w+ (@[\w$]+)", head)[-1],
        mode=mode[1],
        slots=int(slots[1]) if slots else 0,
        submitted=submitted[0],
    )


@cache
def module(*flags: str) -> Path:
    """mlp.mlir, compiled with these flags for this machine."""
    return build(program(MLP), Target.HOST.with_flags(*flags)).vmfb


@cache
def calls(*flags: str) -> tuple[str, ...]:
    """What one call of @mlp asks of the HAL, from the runtime's own record."""
    made = record(module(*flags), "mlp", *inputs(), device="local-task").calls
    return tuple(call for call in made if "profiling" not in call)


def forms() -> str:
    """The three forms, side by side with what they cost at each call."""
    rows = []
    for name, flags in FORMS.items():
        found, made = form(*flags), calls(*flags)
        slots = f"{found.slots} slots" if found.indirect else "no table"
        row = f"recorded in {found.recorded:20} mode {found.mode:8} {slots:9} {found.submitted}"
        rows.append(f"{name}\n  {row}\n  {len(made)} calls of the HAL in each run")
    return "\n".join(rows)
