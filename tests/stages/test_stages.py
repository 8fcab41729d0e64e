"""Every stage keeps its promises: its stubs, solutions, wrong answers, hints, questions, notebook.

The functions of `iree_layers.learn.audit` do the work; tests/learn/test_audit.py shows that each
finds what it is there for.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from iree_layers.learn import Exercise, Question, Stage, audit, predict
from iree_layers.learn.manifest import read_stage

ROOT = Path(__file__).parents[2]
STAGES = sorted(
    (read_stage(path.parent) for path in (ROOT / "stages").glob("*/stage.toml")),
    key=lambda stage: stage.number,
)
EXERCISES = [
    pytest.param(stage, exercise, id=exercise.id)
    for stage in STAGES
    for exercise in stage.exercises
]
QUESTIONS = [
    pytest.param(stage, question, id=question.id)
    for stage in STAGES
    for question in stage.questions
]
each_stage = pytest.mark.parametrize("stage", STAGES, ids=[stage.name for stage in STAGES])
each_exercise = pytest.mark.parametrize(("stage", "exercise"), EXERCISES)


def test_every_folder_is_a_stage_with_a_number_of_its_own() -> None:
    folders = [path for path in (ROOT / "stages").iterdir() if path.name[:1].isalpha()]
    assert sorted(folders) == sorted(stage.path for stage in STAGES)
    assert len({stage.number for stage in STAGES}) == len(STAGES)


@each_exercise
def test_the_stub_is_not_solved_yet(stage: Stage, exercise: Exercise) -> None:
    assert not (found := list(audit.stub(stage, exercise))), "\n".join(found)


@each_exercise
def test_the_solution_is_right(stage: Stage, exercise: Exercise) -> None:
    assert not (found := list(audit.solution(stage, exercise))), "\n".join(found)


@each_exercise
def test_every_wrong_answer_is_wrong_for_its_own_reason(stage: Stage, exercise: Exercise) -> None:
    assert not (found := list(audit.wrong_answers(stage, exercise))), "\n".join(found)


@each_exercise
def test_there_are_hints(stage: Stage, exercise: Exercise) -> None:
    assert exercise.hints
    assert all(hint.strip() for hint in exercise.hints)
    assert len(set(exercise.hints)) == len(exercise.hints)


@pytest.mark.parametrize(("stage", "question"), QUESTIONS)
def test_the_run_answers_the_question(stage: Stage, question: Question) -> None:
    assert not (found := list(audit.question(stage, question))), "\n".join(found)


@pytest.mark.parametrize("id", [q.id for stage in STAGES for q in stage.questions if q.choices])
def test_a_guess_that_is_no_choice_is_not_spent(id: str) -> None:
    revealed = predict(id, "streams")
    assert revealed.answer == ""
    assert "give one of input, abi" in str(revealed)


@each_stage
def test_no_file_is_left_over(stage: Stage) -> None:
    assert not (found := list(audit.files(stage))), "\n".join(found)


@each_stage
def test_titles_are_unique_and_every_item_is_checked(stage: Stage) -> None:
    assert not (found := list(audit.titles(stage))), "\n".join(found)


@each_stage
def test_the_notebook_asks_every_exercise(stage: Stage) -> None:
    notebook = ROOT / "notebooks" / f"{stage.name}.ipynb"
    assert not (found := list(audit.mentions(stage, notebook))), "\n".join(found)
