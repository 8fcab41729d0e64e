"""Which versions take part, and whether they fit each other and this package's own pins.

`versions()` reads metadata only, nothing is imported. A compiler and a runtime of different
releases refuse each other's modules (`bytecode version mismatch`), and IR, headers and flags move
between releases, so that this package pins both exactly.
"""

from __future__ import annotations

import functools
import importlib.metadata
import re

from .toolchain import Versions, versions

__all__ = ["Versions", "disagreements", "pins", "versions"]

_PACKAGE = "iree-layers"
_FIELDS = {
    "iree-base-compiler": "compiler",
    "iree-base-runtime": "runtime",
    "iree-turbine": "turbine",
    "torch": "torch",
}


@functools.cache
def pins() -> dict[str, str]:
    """Exact versions this package asks for, package name to version; {} if it is not installed."""
    try:
        asked = importlib.metadata.requires(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    # `iree-base-compiler==3.13.0`, `torch==2.13.0; extra == "torch"` (metadata 2.4)
    found = (re.match(r"([\w.-]+)\s*==\s*([\w.+!-]+)", line) for line in asked)
    return {match[1]: match[2] for match in found if match and match[1] in _FIELDS}


def disagreements(found: Versions, wanted: dict[str, str] | None = None) -> tuple[str, ...]:
    """What does not fit, one line each; empty if all is well.

    Args:
        found: what is installed.
        wanted: package to version, default `pins()`. A package that is not installed is no
            disagreement, and a local part (`2.13.0+cpu`) makes no difference.
    """
    lines = []
    if found.compiler and found.runtime and _release(found.compiler) != _release(found.runtime):
        lines.append(f"compiler {found.compiler} and runtime {found.runtime} do not match")
    for package, version in (pins() if wanted is None else wanted).items():
        installed = getattr(found, _FIELDS[package])
        if installed and installed.partition("+")[0] != version:
            lines.append(f"{package} is {installed}, this package is made for {version}")
    return tuple(lines)


def _release(version: str) -> str:
    # `3.13.0`, `3.13.0rc20261016`, `3.13.1` → `3.13`
    return ".".join(version.split(".")[:2])
