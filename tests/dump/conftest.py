"""Real compiler runs for the tests of `dump/`, each made once per session."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
import zstandard

from iree_layers.compile.target import Target
from iree_layers.compile.toolchain import run_tool
from iree_layers.dump.trace import Trace, trace

SAMPLES = Path(__file__).parents[2] / "ir_samples"
TARGETS = {
    "llvm-cpu": Target.TEXT,
    "vulkan-spirv": Target.vulkan(),
    "vmvx": Target.vmvx(),
}


@dataclass(frozen=True)
class Tree:
    """A run with --mlir-print-ir-tree-dir."""

    folder: Path
    printed: int
    "snapshots that the same command prints without the folder"


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder with sample programs and dumps."""
    return SAMPLES


@pytest.fixture(scope="session")
def make_trace():
    """trace() of a sample, remembered."""
    made: dict[tuple, Trace] = {}

    def make(name: str, target: str = "llvm-cpu", **options) -> Trace:
        key = (name, target, *sorted(options.items()))
        if key not in made:
            program = SAMPLES / f"{name}.mlir"
            made[key] = trace(program, TARGETS[target], files=False, **options)
        return made[key]

    return make


@pytest.fixture(scope="session")
def make_tree(make_trace, tmp_path_factory):
    """The same run as `make_trace`, printed into a tree of files by the compiler itself."""
    made: dict[tuple, Tree] = {}

    def make(name: str, target: str = "llvm-cpu", *flags: str) -> Tree:
        if (name, target, flags) not in made:
            folder = tmp_path_factory.mktemp("tree")
            (folder / f"{name}.mlir").write_bytes((SAMPLES / f"{name}.mlir").read_bytes())
            run_tool(
                "iree-compile", f"{name}.mlir", "-o", "x.vmfb", *TARGETS[target].flags,
                "--mlir-print-ir-after-all", "--mlir-print-ir-tree-dir=tree",
                "--mlir-disable-threading", "--dump-compilation-phases-to=phases",
                "--mlir-elide-elementsattrs-if-larger=16",
                "--mlir-elide-resource-strings-if-larger=160", *flags, cwd=folder,
            )  # fmt: skip
            options = {"before": True} if "--mlir-print-ir-before-all" in flags else {}
            printed = len(make_trace(name, target, **options))
            made[name, target, flags] = Tree(folder / "tree", printed)
        return made[name, target, flags]

    return make


@pytest.fixture(scope="session")
def mlp_trace() -> Trace:
    """The MLP for Target.TEXT, with the files of its executable."""
    return trace(SAMPLES / "mlp.mlir")


@pytest.fixture(scope="session", params=["3.4.0", "3.11.0"])
def old_dump(request) -> bytes:
    """A dump of an older IREE, which prints no options in its headers."""
    packed = (SAMPLES / f"const_eval_iree_{request.param}.txt.zst").read_bytes()
    return zstandard.ZstdDecompressor().decompress(packed)
