"""Folders that iree-compile writes, opened as dumps.

`--mlir-print-ir-tree-dir=DIR` writes one file per snapshot, in a folder per op; the name begins
with the counters of all enclosing ops (`166_1_2_6_14_iree-llvmcpu-peel.mlir`), which give the
order. Ops without a symbol share a folder and overwrite each other's files, and nobody says so:
`TreeDump.missing` counts them. `--dump-compilation-phases-to=DIR` writes one file per phase
(`mlp.6.flow.mlir`). Seen with 3.13.
"""

from __future__ import annotations

import re
import tempfile
import weakref
from collections import Counter, defaultdict
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ..errors import DumpError
from .dump import Dump
from .index import index
from .layers import MARKER, assign
from .source import FileSource

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["TreeDump", "open_folder", "open_phases", "open_tree"]

# 155_1_2_15_81_iree-convert-unsupported-float-arith.mlir    (3.13, --mlir-print-ir-tree-dir)
_COUNTED = re.compile(r"((?:\d+_)+)([\w.-]+)\.mlir")
# mlp.4.global-optimization.mlir                              (3.1 to 3.13)
_PHASE = re.compile(r"(.+)\.(\d+)\.([a-z][a-z0-9-]*)\.mlir")
_HEADER = b"// -----// IR Dump "
# hal_executable_mlp_dispatch_0, in the path of a file
_EXECUTABLE = re.compile(r"(?:flow|stream|hal)_executable_(.+)")
_UNNAMED = "_no-symbol-name"
_MODULE = "builtin_module"


@dataclass(frozen=True, eq=False)
class TreeDump(Dump):
    """A dump put together from a folder."""

    missing: int = 0
    "snapshots that the folder should hold and does not: others were written over them"

    def __repr__(self) -> str:
        lost = f", {self.missing} lost by the folder" if self.missing else ""
        return f"{super().__repr__()[:-1]}{lost})"


@dataclass(frozen=True, slots=True)
class _File:
    counters: tuple[int, ...]
    "of the enclosing ops from the outermost, then of the op itself"
    name: str
    "argument of the pass"
    path: Path


def open_folder(path: str | Path) -> Dump:
    """The dump in a folder of either kind.

    Raises:
        DumpError: no such folder, or it holds neither kind of files.
    """
    folder = _existing(path)
    if _tree_files(folder):
        return open_tree(folder)
    if _phase_files(folder):
        return open_phases(folder)
    names = sorted(entry.name for entry in folder.iterdir())[:5]
    raise DumpError(
        f"{folder} holds no dump" + (f": it has {', '.join(names)}" if names else ", it is empty"),
        expected="files of --mlir-print-ir-tree-dir (12_0_cse.mlir, in subfolders) "
        "or of --dump-compilation-phases-to (mlp.6.flow.mlir)",
    )


def open_tree(path: str | Path) -> TreeDump:
    """The dump of a `--mlir-print-ir-tree-dir` folder, in the order of its counters.

    Raises:
        DumpError: no such folder, or no such files in it.
    """
    folder = _existing(path)
    files = _tree_files(folder)
    if not files:
        raise DumpError(f"{folder} holds no files like 12_0_cse.mlir")
    source = _joined((file.path.read_bytes() for file in files), folder)
    found = assign(index(source, origin=str(folder)))
    if len(found) == len(files):
        found = replace(
            found,
            snapshots=tuple(
                replace(snapshot, dispatch=_dispatch(file.path.relative_to(folder)))
                for snapshot, file in zip(found.snapshots, files, strict=True)
            ),
        )
    return _tree(found, _missing(files))


def open_phases(path: str | Path) -> Dump:
    """The dump of a phases folder: one snapshot per phase, its layer a fact.

    Each gets the header that the compiler prints at that place. Only the header is made up.

    Raises:
        DumpError: no such folder, no such files in it, or files of several programs.
    """
    folder = _existing(path)
    files = _phase_files(folder)
    if not files:
        raise DumpError(f"{folder} holds no files like mlp.6.flow.mlir")
    stems = sorted({stem for _, stem, _ in files})
    if len(stems) > 1:
        raise DumpError(
            f"{folder} holds the phases of several programs: {', '.join(stems)}",
            expected="one program's",
            todo="compile each into a folder of its own",
        )
    texts = (
        b"%sAfter DumpModulePass: %s{path=%s} //----- //\n%s"
        % (_HEADER, MARKER.encode(), file.name.encode(), file.read_bytes())
        for _, _, file in files
    )
    return assign(index(_joined(texts, folder), origin=str(folder)))


def _existing(path: str | Path) -> Path:
    folder = Path(path)
    if not folder.is_dir():
        raise DumpError(f"there is no folder {folder}")
    return folder


def _tree_files(folder: Path) -> list[_File]:
    found = []
    for file in folder.rglob("*.mlir"):
        match = _COUNTED.fullmatch(file.name)
        if match and _begins_with_header(file):
            counters = tuple(int(number) for number in match[1][:-1].split("_"))
            found.append(_File(counters, match[2], file))
    return sorted(found, key=lambda file: (file.counters, file.path.as_posix()))


def _phase_files(folder: Path) -> list[tuple[int, str, Path]]:
    found = []
    for file in folder.iterdir():
        match = _PHASE.fullmatch(file.name)
        if match and file.is_file():
            found.append((int(match[2]), match[1], file))
    return sorted(found, key=lambda each: (each[0], each[1], each[2].name))


def _begins_with_header(file: Path) -> bool:
    with file.open("rb") as handle:
        return handle.read(len(_HEADER)) == _HEADER


def _joined(texts: Iterable[bytes], folder: Path) -> FileSource:
    """All texts one after the other in a temporary file that goes when it is closed."""
    kept: IO[bytes] = tempfile.TemporaryFile(prefix="iree-layers-")
    for text in texts:
        kept.write(text)
        if not text.endswith(b"\n"):
            kept.write(b"\n")
    kept.flush()
    source = FileSource(folder, handle=kept)
    weakref.finalize(source, kept.close)
    return source


def _dispatch(path: Path) -> str | None:
    for part in path.parts[:-1]:
        if match := _EXECUTABLE.fullmatch(part):
            return match[1]
    return None


def _tree(dump: Dump, missing: int) -> TreeDump:
    values = {field.name: getattr(dump, field.name) for field in fields(dump)}
    return TreeDump(**values, missing=missing)


def _missing(files: list[_File]) -> int:
    """How many snapshots were written over by those of another op.

    Ops without a symbol (`util.initializer`) share one folder. Those that have seen equally many
    passes get equal counters and so equal file names: of several, the last one stays. The text
    of the enclosing module says how many ops there were, the files of one step how many show.
    """
    by_folder: dict[Path, list[_File]] = defaultdict(list)
    for file in files:
        by_folder[file.path.parent].append(file)
    lost = 0
    for folder, members in by_folder.items():
        kind = folder.name.removesuffix(_UNNAMED)
        if kind == folder.name or kind == _MODULE:
            continue
        steps: dict[tuple[int, ...], list[_File]] = defaultdict(list)
        for file in members:
            steps[file.counters[:-1]].append(file)
        enclosing = by_folder.get(folder.parent, [])
        for step, seen in steps.items():
            lost += _overwritten(kind.replace("_", ".", 1), step, seen, enclosing)
    return lost


def _overwritten(op: str, step: tuple[int, ...], seen: list[_File], enclosing: list[_File]) -> int:
    """Files lost in one step of the enclosing op, which ran the same passes on each op."""
    shown = min(Counter((file.name, _when(file.path)) for file in seen).values())
    per_op = len(seen) // shown
    level = [file for file in enclosing if len(file.counters) == len(step)]
    before = [file for file in level if file.counters <= step][-1:]
    after = [file for file in level if file.counters > step][:1]
    pattern = re.compile(rb"^  %s\b" % re.escape(op.encode()), re.M)
    ops = max((len(pattern.findall(file.path.read_bytes())) for file in before + after), default=0)
    return max(0, ops * per_op - len(seen))


def _when(path: Path) -> bytes:
    with path.open("rb") as handle:
        return handle.read(len(_HEADER) + 6)[len(_HEADER) :]
