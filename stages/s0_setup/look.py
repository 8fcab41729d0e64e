"""What the runtime's tools say, cut down to what matters."""

from __future__ import annotations

import re
from pathlib import Path

from iree_layers.compile import Ran, run_tool

__all__ = ["calls", "message"]

# c/runtime/src/iree/vm/bytecode/module.c:333: NOT_FOUND; no function `axbp` exported …    (3.13.0)
# <vm>:0: INCOMPATIBLE; HAL device `__device_0` not found or unavailable: …                 (3.13.0)
_STATUS = re.compile(r"[\w./<>]*?([\w.]+\.c|<vm>):(\d+): ([A-Z_]+; .*)", re.DOTALL)
# …; while calling import; \n[ 0] bytecode module@1:142 -; invoking function 'axpb'; …      (3.13.0)
_LINK = re.compile(r"(?:;\s+)+")
# vm.func @axpb(%r0: !vm.ref<?>) -> (!vm.ref<?>) {                                          (3.13.0)
_FUNCTION = re.compile(r"vm\.func @(\w+)\(.*\) -> \((.*)\) \{")
#   vm.call.variadic.yieldable @hal.fence.await segments[65535, 65535, 1](%i5, …)           (3.13.0)
_CALL = re.compile(r"vm\.call[\w.]* @([\w.]+)")


def message(ran: Ran, *, columns: int = 140) -> str:
    """The message of a runtime tool that failed, a line for each of its parts, cut to `columns`.

    File, line and status come first, then what went wrong, then what was being done, inside out.
    """
    for text in (ran.stderr, ran.stdout):
        if found := _STATUS.search(text):
            status, *parts = _LINK.split(found[3].strip())
            lines = [f"{found[1]}:{found[2]}: {status}", *(f"  {part}" for part in parts)]
            return "\n".join(_cut(line, columns) for line in lines)
    return _cut(ran.stderr.strip() or ran.stdout.strip(), columns)


def _cut(line: str, columns: int) -> str:
    return line if len(line) <= columns else f"{line[: columns - 1]}…"


def calls(vmfb: Path) -> dict[str, list[str]]:
    """For each function of a module, the functions that it calls, in order.

    Rests on `iree-dump-module --output=disassembly`. Two functions have the name `__init` there: a
    private one, which gives a command buffer, lost its own name; it is `(recording)` here. What
    `__init` calls as `module.__init` is that one.
    """
    said = run_tool("iree-dump-module", "--output=disassembly", vmfb.name, cwd=vmfb.parent).stdout
    found: dict[str, list[str]] = {}
    here: list[str] = []
    for line in said.splitlines():
        if function := _FUNCTION.search(line):
            lost = function[1] == "__init" and function[2]
            here = found.setdefault("(recording)" if lost else function[1], [])
        elif call := _CALL.search(line):
            here.append("(recording)" if call[1].endswith(".__init") else call[1])
    return found
