"""Where the roads become one: the same net by every road, phase by phase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from iree_layers.compare import diff
from iree_layers.compile import Target, checkpoints

from .travels import ROADS, travelled

__all__ = ["bodies", "dispatches", "groups", "phase_texts", "same", "table"]


@cache
def phase_texts(name: str, road: str) -> Mapping[str, str]:
    """The IR at the end of each phase, for `Target.TEXT`, without the weights behind it."""
    saved = checkpoints(travelled(name, road), Target.TEXT)
    return {phase: path.read_text().partition("{-#")[0] for phase, path in saved.items()}


def table(name: str, phases: Iterable[str], roads: Iterable[str] = ROADS) -> str:
    """Lines of IR by road and phase."""
    roads = list(roads)
    short = [road.removeprefix("torch-mlir-") for road in roads]
    rows = [f"{'':20}" + "".join(f"{one:>10}" for one in short)]
    for phase in phases:
        counts = [phase_texts(name, road)[phase].count("\n") for road in roads]
        rows.append(f"{phase:20}" + "".join(f"{count:10}" for count in counts))
    return "\n".join(rows)


def bodies(name: str, road: str) -> list[str]:
    """The kernels of a net at the end of phase flow, without names that differ by road."""
    text = phase_texts(name, road)["flow"]
    # func.func @main_dispatch_0_matmul_4x32x64_f32(%arg0: …) {         (3.13.0)
    found = re.findall(r"^ +func\.func @\w+\(.*?^ +return$", text, re.DOTALL | re.MULTILINE)
    found = [re.sub(r"func\.func @\w+", "func.func @kernel", body) for body in found]
    # Weights are written out, or named: dense<[0.1, …]>, dense_resource<torch_tensor_32_…>
    weights = re.compile(r"dense(?:_resource)?<(?:\[[^>]*\]|\w[^>]*_[^>]*)>")
    return [weights.sub("dense<weights>", body) for body in found]


def dispatches(name: str, road: str) -> list[str]:
    """Names of the kernels, without the function's: `matmul_4x32x64_f32`."""
    text = phase_texts(name, road)["flow"]
    # flow.executable.export public @main_dispatch_0_matmul_4x32x64_f32 workgroups()     (3.13.0)
    return re.findall(r"executable\.export public @\w*?_dispatch_\d+_(\w+)", text)


def same(one: str, two: str) -> bool:
    """Two texts are equal, or differ in nothing but the names of values and maps."""
    found = diff(one, two)
    return found.identical or not (found.added or found.removed)


def groups(name: str, kernel: int, roads: Iterable[str] = ROADS) -> list[list[str]]:
    """Roads by equal bodies of one kernel."""
    found: list[list[str]] = []
    for road in roads:
        body = bodies(name, road)[kernel]
        home = next((g for g in found if same(bodies(name, g[0])[kernel], body)), None)
        if home is None:
            found.append([road])
        else:
            home.append(road)
    return found
