"""The host function in the text of a phase."""

from __future__ import annotations

import re

__all__ = ["host_function"]


def host_function(text: str, name: str = "mlp") -> str:
    """The lines of the public host function `@name`; '' if there is none."""
    lines = text.splitlines()
    heads = [k for k, line in enumerate(lines) if re.search(rf"func public @{name}\(", line)]
    if not heads:
        return ""
    indent = lines[heads[0]][: len(lines[heads[0]]) - len(lines[heads[0]].lstrip())]
    end = next(k for k in range(heads[0] + 1, len(lines)) if lines[k] == indent + "}")
    return "\n".join(lines[heads[0] : end + 1])
