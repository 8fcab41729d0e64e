"""Right answers in other spellings are right, and no answer of another kind ends in a traceback."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iree_layers import Target, agree, build, diff, find, program, run, trace
from iree_layers.learn import predict, stage
from iree_layers.learn.catalogue import find_exercise
from iree_layers.learn.exercise import verdict_on
from iree_layers.learn.loading import answer_of

ORDER: list[str] = answer_of(*find_exercise("2.2"), "solutions")  # type: ignore[assignment]
RESULT: dict[str, object] = answer_of(*find_exercise("2.7"), "solutions")  # type: ignore[assignment]
TOOLS: dict[str, str] = answer_of(*find_exercise("0.1"), "solutions")  # type: ignore[assignment]
LINE: list[str] = answer_of(*find_exercise("0.3"), "solutions")  # type: ignore[assignment]
WHEN: dict[str, str] = answer_of(*find_exercise("0.5"), "solutions")  # type: ignore[assignment]

SQUARE = """module {
  func.func @square_plus(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
    %0 = math.fma %a, %a, %b : tensor<8xf32>
    func.return %0 : tensor<8xf32>
  }
}
"""

TWO = """module @mine {
  func.func @two(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<16x2xf32>)
      -> tensor<4x2xf32> {
    %z = arith.constant dense<0.0> : tensor<4x16xf32>
    %y = arith.constant dense<0.0> : tensor<4x2xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>)
      outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
    %p = arith.cmpf ogt, %0, %z : tensor<4x16xf32>
    %1 = arith.select %p, %0, %z : tensor<4x16xi1>, tensor<4x16xf32>
    %2 = linalg.matmul ins(%1, %c : tensor<4x16xf32>, tensor<16x2xf32>)
      outs(%y : tensor<4x2xf32>) -> tensor<4x2xf32>
    return %2 : tensor<4x2xf32>
  }
}
"""


def largest_in_python(vmfb: Path, numbers: list[float]) -> object:
    return max(run(str(vmfb), "axpb", np.asarray(numbers, "float32")).tolist())


def largest_in_torch(vmfb: Path, numbers: list[float]) -> object:
    import torch

    return torch.from_numpy(run(vmfb, "axpb", torch.tensor(numbers))).max()


def edit_lines(text: str) -> str:
    return "\n".join(re.sub("maximumf", "minnumf", line) for line in text.split("\n"))


def edit_constant(text: str) -> str:
    """min(v, 0) is what max(v, 0) leaves of v."""
    #   %8 = arith.maximumf %7, %cst : f32
    new = r"\1%most = arith.maximumf \3, \4 : f32\n\1\2 = arith.subf \3, %most : f32"
    return re.sub(r"( +)(%\w+) = arith\.maximumf (%\w+), (%\w+) : f32", new, text)


def by_pairs(before: str, after: str) -> bool:
    """Both texts at once, name by name, in both directions."""
    one, two = (re.split(r"(%[\w.$-]+)", text) for text in (before, after))
    if before == after or one[::2] != two[::2]:
        return False
    names = set(zip(one[1::2], two[1::2], strict=True))
    return len(names) == len({a for a, _ in names}) == len({b for _, b in names})


def by_diff(before: str, after: str) -> object:
    return np.bool_(diff(before, after, rules=["ssa"]).only_renumbering)


def by_halves(files: Mapping[str, Path], x: Any, w: Any, b: Any, expected: Any) -> str | None:
    """A bisection: from some phase on all of them are wrong."""
    names = list(files)
    low, high = 0, len(names)
    while low < high:
        name = names[(low + high) // 2]
        vmfb = build(files[name], Target.HOST, compile_from=name).vmfb
        if np.allclose(run(vmfb, "mlp", x, w, b), expected):
            low = (low + high) // 2 + 1
        else:
            high = (low + high) // 2
    return names[low] if low < len(names) else None


def spoils_its_inputs(files: dict[str, Path], x: Any, w: Any, b: Any, expected: Any) -> str | None:
    while files:
        phase = next(iter(files))
        vmfb = build(files.pop(phase), Target.HOST, compile_from=phase).vmfb
        if not agree(run(vmfb, "mlp", x, w, b), expected):
            x[:] = expected[:] = 0
            return phase
    return None


RIGHT = [
    ("0.1", list(TOOLS.items())),
    ("0.1", {name: package.replace("-", "_") + "==3.13.0 " for name, package in TOOLS.items()}),
    ("0.2", SQUARE),
    ("0.2", SQUARE.replace("%a", "%arg0").replace("\n", "  // a comment\n")),
    ("0.3", tuple(LINE)),
    ("0.3", (word.replace("task", "sync") for word in LINE)),
    ("0.4", largest_in_python),
    ("0.4", largest_in_torch),
    ("0.5", {name: f" {when.upper()} " for name, when in WHEN.items()}),
    ("0.5", tuple(WHEN.items())),
    ("2.1", "--iree-stream-schedule-allocation"),
    ("2.1", "iree-stream-schedule-allocation{optimize=true}"),
    ("2.1", "builtin.module(iree-stream-schedule-allocation)"),
    ("2.1", "ScheduleAllocationPass"),
    ("2.1", np.str_(" iree_stream_schedule_allocation")),
    ("2.2", tuple(ORDER)),
    ("2.2", np.array(ORDER)),
    ("2.2", (f" {name} " for name in ORDER)),
    ("2.2", dict.fromkeys(ORDER).keys()),
    ("2.3", "`Executable-Configurations`"),
    ("2.3", "phase executable_configurations"),
    ("2.4", TWO),
    (
        "2.4",
        TWO.replace("module @mine", "module")
        .replace("func.func", "util.func public")
        .replace("    return", "    util.return"),
    ),
    ("2.5", edit_lines),
    ("2.5", edit_constant),
    ("2.6", np.int64(2048)),
    ("2.6", "2048"),
    ("2.6", 2048.0),
    (
        "2.7",
        {
            "abi": " hal.tensor.export",
            "stream": "!stream.resource<external>{%c256}",
            "executable-sources": "3",
            "hal": '"hal.device.queue.alloca"',
            "vm": "@hal.buffer_view.create",
        },
    ),
    ("2.7", RESULT | {"stream": "External", "executable-sources": "binding(3)"}),
    ("2.7", list((RESULT | {"executable-sources": np.int32(3)}).items())),
    ("2.8", by_pairs),
    ("2.8", by_diff),
    ("2.9", {"t": "#iree_cpu.pipeline<DoubleTilingExpert>", "g": "pipeline<BaseVectorize>"}),
    ("2.9", {"g": "basevectorize\n", "t": "<DoubleTilingExpert>"}),
    ("2.10", by_halves),
    ("2.10", spoils_its_inputs),
]


@pytest.mark.parametrize(("id", "answer"), RIGHT)
def test_a_right_answer_in_another_spelling(id: str, answer: object) -> None:
    assert verdict_on(*find_exercise(id), answer).solved is True


def test_the_hit_itself_is_an_answer() -> None:
    stage(2)
    from stages.s2_pipeline.checks import mlp_trace

    for id, words in (("2.1", "stream.cmd.dispatch"), ("2.3", "memref<")):
        assert verdict_on(*find_exercise(id), find(mlp_trace(), words).first).solved is True


@pytest.mark.parametrize("id", ["0.2", "2.4"])
def test_a_file_with_the_text_is_an_answer(id: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.mlir"
    path.write_text(str(answer_of(*find_exercise(id), "solutions")))
    assert verdict_on(*find_exercise(id), path).solved is True
    assert "a text" in str(verdict_on(*find_exercise(id), tmp_path / "other.mlir"))


ODD: list[object] = [
    *(0, -1, True, 2.5, "", "x", b"x", [], {}, set(), [[]], {"t": [1]}, [None], object(), print),
    *(np.zeros(3), iter("ab"), Path("x"), {"abi": None}, float("nan"), range(9)),
]
VALUES = ["0.1", "0.3", "0.5", "2.1", "2.2", "2.3", "2.6", "2.7", "2.9"]


@pytest.mark.parametrize("id", VALUES)
def test_an_odd_answer_gets_a_verdict_in_words(id: str) -> None:
    for answer in ODD:
        verdict = verdict_on(*find_exercise(id), answer)
        assert verdict.solved is False
        assert "Error:" not in verdict.found, f"{answer!r}: {verdict}"


@pytest.mark.parametrize("id", ["0.4", "2.5", "2.8", "2.10"])
def test_an_odd_function_gets_a_verdict(id: str) -> None:
    for answer in (*ODD, len, str, lambda *_: 1 / 0, lambda *_: np.zeros(3), lambda: 1):
        assert verdict_on(*find_exercise(id), answer).solved is False


@pytest.mark.parametrize("id", ["2.1", "2.3", "2.7", "2.9"])
def test_another_trace_is_named(id: str) -> None:
    add = "func.func @add(%a: f32, %b: f32) -> f32 { %0 = arith.addf %a, %b : f32 return %0 : f32 }"
    answer = answer_of(*find_exercise(id), "solutions")
    verdict = verdict_on(*find_exercise(id), answer, t=trace(program(add, name="add")))
    assert verdict.solved is False
    assert "of the trace of add" in verdict.found
    assert verdict.look == "t = trace(mlp, Target.TEXT)"


@pytest.mark.parametrize(
    ("id", "guess", "says"),
    [
        ("0.q1", "one", "give a whole number, not 'one'"),
        ("0.q1", 1.5, "give a whole number, not 1.5"),
        ("0.q1", True, "give a whole number, not True"),
        ("0.q2", 3, "give a set of names, not 3"),
        ("0.q2", [1, 2], "give a set of names, not [1, 2]"),
        ("2.q1", "746", "give a whole number, not '746'"),
        ("2.q1", float("nan"), "give a whole number, not nan"),
        ("2.q3", {"mlp"}, "give a whole number"),
        ("2.q4", 7, "give one of input, abi"),
        ("2.q4", "the stream phase", "give one of input, abi"),
        ("2.q4", ["stream"], "give one of input, abi"),
    ],
)
def test_a_guess_of_another_kind_is_not_spent(id: str, guess: object, says: str) -> None:
    revealed = predict(id, guess)
    assert revealed.answer == ""
    assert says in str(revealed)


def test_the_first_hint_does_not_have_the_answer() -> None:
    for id in (*VALUES, "2.5"):
        exercise = find_exercise(id)[1]
        answer = answer_of(*find_exercise(id), "solutions")
        parts = list(answer.values()) if isinstance(answer, dict) else [answer]
        said = "minimumf maximumf" if id == "2.5" else " ".join(map(str, parts))
        for word in re.findall(r"[\w-]{4,}|\d+", said):
            assert word in exercise.prompt or word not in exercise.hints[0], (id, word)
