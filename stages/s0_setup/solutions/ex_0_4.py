"""The only member that is not bytecode; its name ends in the architecture of the machine code."""

from pathlib import Path

from iree_layers import contents


def answer_for(*, vmfb: Path) -> str:
    """The only member that is not bytecode; its name ends in the architecture of your machine."""
    return next(m.name for m in contents(vmfb).members if not m.name.endswith(".fb"))
