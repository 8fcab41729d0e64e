"""What a file is, from its name and its first bytes, when it is not something we can compile.

In: a path or bytes. Out: one sentence about what it is and one about what to do, or nothing when
it may be MLIR. Magic numbers were read from files of the tools named beside them (2026).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "Kind",
    "foreign_content",
    "foreign_file",
    "foreign_folder",
    "is_bytecode",
    "looks_like_ir",
]


@dataclass(frozen=True, slots=True)
class Kind:
    """What something is, and what to do with it instead."""

    what: str
    todo: str


_VMFB = Kind(
    "a compiled IREE module (.vmfb), not a program",
    "run it with iree-run-module, look inside with iree-dump-module; trace the .mlir it came from",
)
_TFLITE = Kind(
    "a TensorFlow Lite model",
    "give its path, with the suffix .tflite (pip install 'iree-layers[tflite]')",
)
_SAVED_MODEL = Kind(
    "a TensorFlow SavedModel",
    "import it first: pip install iree-tools-tf, then "
    "iree-import-tf --tf-import-type=savedmodel_v2 FOLDER -o model.mlir",
)
_KERAS = Kind(
    "a Keras model or HDF5 file",
    "load it in Python, save it as a SavedModel, and import that with iree-import-tf",
)
_TORCH_FILE = Kind(
    "a PyTorch file (weights or a pickled object), which holds no program for the compiler",
    "build the module in a file model.py with an example_inputs attribute, load the weights there, "
    "and give model.py:NAME",
)
_PT2 = Kind(
    "a torch.export archive",
    "load it in Python: program(torch.export.load(PATH)), or return that from a function in a .py",
)
_WEIGHTS = Kind(
    "a file of weights, without a program",
    "give the program, and name the weights with parameters={'scope': PATH}",
)
_DUMP = Kind(
    "this is a dump of many passes (it has `IR Dump` headers), not one program",
    "open it: iree-layers open FILE; to compile one snapshot, save its text without the header",
)
_EMPTY = Kind("empty", "write MLIR into it, or give another file")
_BINARY = Kind("neither text nor MLIR bytecode", "give MLIR, .onnx or model.py:NAME")

_SUFFIXES = {
    ".vmfb": _VMFB,
    ".h5": _KERAS,
    ".hdf5": _KERAS,
    ".keras": _KERAS,
    ".pb": _SAVED_MODEL,
    ".pt": _TORCH_FILE,
    ".pth": _TORCH_FILE,
    ".ckpt": _TORCH_FILE,
    ".pt2": _PT2,
    ".safetensors": _WEIGHTS,
    ".gguf": _WEIGHTS,
    ".irpa": _WEIGHTS,
    ".npz": _WEIGHTS,
    ".npy": _WEIGHTS,
    ".ll": Kind("LLVM IR text", "iree-compile takes MLIR; trace the .mlir that it came from"),
    ".ipynb": Kind(
        "a notebook",
        "call program(module, example) in a cell, or move the model to a .py",
    ),
}

# (offset, bytes, what it is)
_MAGIC = (
    (8, b"IREE", _VMFB),
    (4, b"TFL3", _TFLITE),
    (0, b"\x89HDF", _KERAS),
    (0, b"IRPA", _WEIGHTS),
    (0, b"GGUF", _WEIGHTS),
    (0, b"\x93NUMPY", _WEIGHTS),
    (0, b"\x80\x02", _TORCH_FILE),
    (0, b"\x7fELF", Kind("a compiled library or program (ELF)", "give the source program")),
    (0, b"\x1f\x8b", Kind("compressed with gzip", "gunzip it first")),
    (
        0,
        b"\x28\xb5\x2f\xfd",
        Kind("compressed with zstd", "unzstd it; a trace: iree-layers open"),
    ),
    (
        0,
        b"BC\xc0\xde",
        Kind("LLVM bitcode", "give the .mlir that it came from"),
    ),
)

# `// -----// IR Dump After CSEPass: cse //----- //` (IREE 3.13), `// *** IR Dump …` (LLVM)
_DUMP_HEADER = re.compile(rb"^[ \t]*//[ \t]*(-----//|\*\*\*)\s*IR Dump\b", re.MULTILINE)

# `module {`, `func.func @f(`, `%0 = arith.addf %a, %b : f32`, `"foo.bar"() : () -> ()`, `#map = `
_IR = re.compile(
    r"""^[ \t]*(?:
          %[^=\n]*=\s*"?[a-z_]\w*\.[a-z_]          # an op with results
        | (?:builtin\.)?module\b\s*[@{a]
        | func\s+(?:private\s+)?@                  # MLIR before 2022
        | "[a-z_]\w*\.[\w.]+"\s*[(<]              # generic form
        | [a-z_]\w*\.[a-z_][\w.]*\s*              # custom form, and what may follow it
          (?:[(@%<{"\[:\#!]|private|public|initializer|attributes|\d|$)
        | [\#!][\w.$-]+\s*=                        # an alias
        )""",
    re.MULTILINE | re.VERBOSE,
)


def is_bytecode(data: bytes) -> bool:
    """True for MLIR bytecode (also StableHLO portable artifacts), whatever the file's suffix."""
    return data.startswith(b"ML\xefR")


def looks_like_ir(text: str) -> bool:
    """True if text has an op, a module or an alias outside comments: a hint, not a parse."""
    # `// comment` to the end of the line, as MLIR takes it
    return _IR.search(re.sub(r"//[^\n]*", "", text)) is not None


def foreign_file(path: Path) -> Kind | None:
    """What a file is by its suffix, if it is certainly not MLIR, ONNX or Python."""
    return _SUFFIXES.get(path.suffix.lower())


def foreign_folder(path: Path) -> Kind:
    """What a folder is."""
    if (path / "saved_model.pb").exists():
        return _SAVED_MODEL
    if any(path.glob("*.*.input.mlir")) or any(path.glob("*/[0-9]*_*.mlir")):
        return Kind("a folder of IR files", "iree-layers open FOLDER, or give one file of it")
    found = sorted(p.name for p in path.iterdir() if p.suffix in (".mlir", ".onnx", ".py"))[:3]
    return Kind("a folder", f"give a file: {', '.join(found) or 'MLIR, .onnx or model.py:NAME'}")


def foreign_content(data: bytes) -> Kind | None:
    """What bytes are, if they are not MLIR text or bytecode."""
    if not data.strip():
        return _EMPTY
    if is_bytecode(data):
        return None
    for offset, magic, kind in _MAGIC:
        if data[offset : offset + len(magic)] == magic:
            return kind
    if data.startswith(b"PK\x03\x04"):
        return _VMFB if b"module.fb" in data[:256] else Kind("a zip file", "unpack it first")
    if _DUMP_HEADER.search(data):
        return _DUMP
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _BINARY
    if "\0" in text:
        return _BINARY
    if not looks_like_ir(text):
        first = next((line.strip() for line in text.splitlines() if line.strip()), "")[:60]
        return Kind(f"text without any MLIR op; it begins {first!r}", "give MLIR text")
    return None
