"""Write ir_samples/borders.toml: where each layer begins and ends in runs of the sample programs.

    python tests/dump/borders.py

The numbers are those of the compiler's own phase markers, which `test_layers.py` proves right
against the counters of --mlir-print-ir-tree-dir. Compare the new file with the old one before you
keep it: a changed line is a changed compiler, or a bug.
"""

from __future__ import annotations

from pathlib import Path

import zstandard

from iree_layers.compile.target import Target
from iree_layers.dump.dump import Dump
from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.layers import borders as runs_of
from iree_layers.dump.source import MemorySource
from iree_layers.dump.trace import trace

SAMPLES = Path(__file__).parents[2] / "ir_samples"
TARGETS = {"llvm-cpu": Target.TEXT, "vulkan-spirv": Target.vulkan(), "vmvx": Target.vmvx()}
# No constants to evaluate here: IREE evaluates them for the CPU it runs on, whatever the target,
# so their part of a dump differs from machine to machine.
RUNS = [("mlp", target) for target in TARGETS]
OLD = ("3.4.0", "3.11.0")


def text() -> str:
    """The whole file."""
    blocks = ["# Made by `python tests/dump/borders.py`; see there."]
    for name, target in RUNS:
        made = trace(SAMPLES / f"{name}.mlir", TARGETS[target], files=False)
        blocks.append(_table(f"{name}-{target}", made.command, made.dump))
    for version in OLD:
        packed = (SAMPLES / f"const_eval_iree_{version}.txt.zst").read_bytes()
        dump = assign(index(MemorySource(zstandard.ZstdDecompressor().decompress(packed))))
        command = (
            "iree-compile const_eval.mlir -o const_eval.vmfb --mlir-print-ir-after-all "
            "--mlir-disable-threading --dump-compilation-phases-to=phases "
            "--mlir-elide-elementsattrs-if-larger=16 --mlir-elide-resource-strings-if-larger=16 "
            "--iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu "
            "--iree-llvmcpu-target-cpu=generic "
            "--iree-llvmcpu-target-triple=x86_64-unknown-unknown-eabi-elf 2> dump.txt"
        )
        blocks.append(_table(f"const_eval-iree-{version}", command, dump))
    return "\n\n".join(blocks) + "\n"


def _table(name: str, command: str, dump: Dump) -> str:
    """One run: per layer its first snapshot, how many there are, first and last pass."""
    lines = [f"[{name}]", f"command = '{command}'", f"snapshots = {len(dump)}", "layers = ["]
    for layer, first, count in runs_of(dump):
        passes = f'"{dump[first].name}", "{dump[first + count - 1].name}"'
        lines.append(f'  ["{layer}", {first}, {count}, {passes}],')
    return "\n".join([*lines, "]"])


if __name__ == "__main__":
    (SAMPLES / "borders.toml").write_text(text(), encoding="utf-8")
