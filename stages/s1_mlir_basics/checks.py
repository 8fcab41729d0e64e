"""Questions of stage 1, and where its checks are.

`texts` has the exercises whose answer is IR, `pipelines` those about passes, `rewriting` those
about patterns and conversions, `toys` those on the Toy track.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from iree_layers.dump import opt
from iree_layers.dump.tree import grow

from .pipelines import check_1_7, check_1_8, check_1_9, check_1_16
from .rewriting import check_1_10, check_1_11, check_1_12
from .texts import check_1_1, check_1_2, check_1_3, check_1_4, check_1_5, check_1_6
from .toys import check_1_13, check_1_14, check_1_15

__all__ = [
    "CONTEXT",
    "answer_1_q1",
    "answer_1_q2",
    "check_1_1",
    "check_1_2",
    "check_1_3",
    "check_1_4",
    "check_1_5",
    "check_1_6",
    "check_1_7",
    "check_1_8",
    "check_1_9",
    "check_1_10",
    "check_1_11",
    "check_1_12",
    "check_1_13",
    "check_1_14",
    "check_1_15",
    "check_1_16",
]

HERE = Path(__file__).parent
LOOPS = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries=true},"
    "func.func(convert-linalg-to-loops),convert-scf-to-cf)"
)


def tile_text() -> str:
    """tile.mlir."""
    return (HERE / "tile.mlir").read_text()


CONTEXT: dict[str, Callable[[], object]] = {"tile": tile_text}


def answer_1_q1(*, tile: str) -> int:
    """Ops of the whole text, bodies of named ops too."""
    return grow(tile).size


def answer_1_q2(*, tile: str) -> int:
    """Blocks of @tile when its loops are branches."""
    function = grow(opt(tile, LOOPS).text).regions[0][0].ops[0]
    return len(function.regions[0])
