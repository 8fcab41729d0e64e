"""What is in a compiled module: its files, its functions, what it needs.

In: a `.vmfb`. Out: a `Contents`. The files are read from the zip that a `.vmfb` is (3.13.0), the
rest is the answer of `iree-dump-module --output=flatbuffer-json`.
"""

from __future__ import annotations

import json
import struct
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..compile.toolchain import run_tool
from .engine import is_public
from .module import Module, open_module
from .signature import Signature, parse_declaration

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Contents", "Export", "Member", "contents"]

_ROWS = 12
"members, functions and imports shown of each"

# e_machine of an ELF header, u16 at offset 18
_MACHINES = {3: "x86", 40: "Arm", 62: "x86-64", 183: "AArch64", 243: "RISC-V"}
# first 4 bytes of the executables that 3.13.0 writes
_EXECUTABLES = {
    b"VKE1": "SPIR-V for Vulkan",
    b"CDA1": "PTX for CUDA",
    b"HIP1": "code object for HIP",
    b"MTL1": "Metal library or source",
}


@dataclass(frozen=True, slots=True)
class Member:
    """One file in the zip."""

    name: str
    size: int
    "bytes"
    offset: int
    "of its first byte in the .vmfb; it is stored as it is, so that it can be mapped"
    kind: str
    "what its first bytes say: `VM bytecode module`, `machine code (ELF, x86-64)`, `data`, …"


@dataclass(frozen=True, slots=True)
class Export:
    """One function that can be called from outside."""

    name: str
    declaration: str
    "`iree.abi.declaration`, '' if the module has none for it"
    convention: str
    "types as the VM sees them: `0rr_r` is two references to one; i and I integers, f and F floats"
    public: bool
    "False for `__init`, which the runtime calls itself"

    @property
    def signature(self) -> Signature:
        """How it is called."""
        found = parse_declaration(self.declaration)
        return found or Signature(self.name, (), (), declared=False)


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a compiled module."""

    name: str
    "of the module in the program, e.g. `mlp`; `module` if it has none"
    size: int
    "bytes of the whole .vmfb"
    bytecode: str
    "version of the VM's bytecode, e.g. `17.0`; the runtime must have the same"
    members: tuple[Member, ...]
    exports: tuple[Export, ...]
    imports: tuple[str, ...]
    "functions of other modules that it calls, e.g. `hal.fence.await`"
    dependencies: tuple[tuple[str, int], ...]
    "modules it needs, each with the lowest version that will do"

    @property
    def functions(self) -> tuple[Signature, ...]:
        """The functions that `run()` can call."""
        return tuple(one.signature for one in self.exports if one.public)

    def __str__(self) -> str:
        needs = ", ".join(f"{name} ≥ {least}" for name, least in self.dependencies) or "nothing"
        files = [f"  {one.size:>9} bytes  {one.name}: {one.kind}" for one in self.members]
        calls = [f"  {one}" for one in self.functions]
        return "\n".join(
            [
                f"module {self.name}, {self.size} bytes, bytecode {self.bytecode}, needs {needs}",
                "files:",
                *_cut(files),
                "functions:",
                *_cut(calls),
            ]
        )

    __repr__ = __str__


def contents(vmfb: object) -> Contents:
    """Look into a compiled module without loading it.

    Args:
        vmfb: bytes or path of a `.vmfb`, or a `Built` or `Trace` that has one.

    Raises:
        RunError: it is no compiled module, or a damaged one.
    """
    module = open_module(vmfb)
    with _as_file(module) as path:
        # A subprocess also because a damaged module can crash a reader.
        ran = run_tool("iree-dump-module", "--output=flatbuffer-json", str(path))
    said: dict[str, Any] = json.loads(ran.stdout)
    version = int(said.get("bytecode_version", 0))
    return Contents(
        name=said.get("name", ""),
        size=len(module.data),
        bytecode=f"{version >> 16}.{version & 0xFFFF}",
        members=_members(module),
        exports=tuple(_exports(said)),
        imports=tuple(one["full_name"] for one in said.get("imported_functions", [])),
        dependencies=tuple(
            (one["name"], int(one.get("minimum_version", 0)))
            for one in said.get("dependencies", [])
        ),
    )


def _exports(said: dict[str, Any]) -> Iterator[Export]:
    # flatbuffer JSON leaves out zeros: a missing ordinal is function 0
    signatures = said.get("function_signatures", [])
    for one in said.get("exported_functions", []):
        place = int(one.get("internal_ordinal", 0))
        found = signatures[place] if place < len(signatures) else {}
        attributes = {each["key"]: each["value"] for each in found.get("attrs", [])}
        yield Export(
            name=one["local_name"],
            declaration=attributes.get("iree.abi.declaration", ""),
            convention=found.get("calling_convention", ""),
            public=is_public(one["local_name"]),
        )


def _members(module: Module) -> tuple[Member, ...]:
    if not module.data.startswith(b"PK\x03\x04"):
        # --iree-vm-emit-polyglot-zip=false
        return (Member("(the whole file)", len(module.data), 0, _kind(module.data)),)
    found = []
    with zipfile.ZipFile(BytesIO(module.data)) as archive:
        for one in archive.infolist():
            label, extra = struct.unpack_from("<HH", module.data, one.header_offset + 26)
            start = one.header_offset + 30 + label + extra
            kind = _kind(module.data[start : start + 64])
            found.append(Member(one.filename, one.file_size, start, kind))
    return tuple(found)


def _kind(head: bytes) -> str:
    if head[8:12] == b"IREE" or head.startswith(b"PK\x03\x04"):
        return "VM bytecode module"
    if head.startswith(b"\x7fELF") and len(head) >= 20:
        (machine,) = struct.unpack_from("<H", head, 18)
        return f"machine code (ELF, {_MACHINES.get(machine, f'machine {machine}')})"
    return _EXECUTABLES.get(head[:4], "data")


@contextmanager
def _as_file(module: Module) -> Iterator[Path]:
    """The module as a file of just these bytes, even if the original changes meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "module.vmfb"
        path.write_bytes(module.data)
        yield path


def _cut(rows: list[str]) -> list[str]:
    more = len(rows) - _ROWS
    return rows if more <= 0 else [*rows[:_ROWS], f"  … {more} more"]
