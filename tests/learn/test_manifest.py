from __future__ import annotations

from pathlib import Path

import pytest

from iree_layers.errors import ExerciseError
from iree_layers.learn import Exercise, Question, Stage
from iree_layers.learn.manifest import read_stage

GOOD = """
title = "A stage"
items = ["4.1"]
[[exercise]]
id = "4.1"
item = "4.1"
title = "One"
kind = "value"
prompt = "Do."
hints = ["So."]
[[question]]
id = "4.q1"
title = "Two"
prompt = "Guess."
"""


def read(tmp_path: Path, text: str, name: str = "s4_flow") -> Stage:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "stage.toml").write_text(text)
    return read_stage(folder)


def test_a_manifest_becomes_values(tmp_path: Path) -> None:
    stage = read(tmp_path, GOOD)
    assert (stage.number, stage.name, stage.items) == (4, "s4_flow", ("4.1",))
    assert stage.exercises == (Exercise("4.1", "4.1", "One", "value", "Do.", ("So.",)),)
    assert stage.questions == (Question("4.q1", "Two", "Guess."),)
    assert [entry.key for entry in stage.entries] == ["4_1", "4_q1"]
    assert str(stage) == "Stage 4 · A stage · items 4.1 · 1 exercises, 1 questions"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('title = "A stage"', "", "no title"),
        ('kind = "value"', 'kind = "number"', "kind 'number'"),
        ('kind = "value"', "", "no kind"),
        ('hints = ["So."]', "hints = []", "hints is"),
        ('hints = ["So."]', 'hints = [" "]', "an empty hint"),
        ('hints = ["So."]', "hints = [1]", "an empty hint"),
        ('prompt = "Do."', 'prompt = ""', "prompt is ''"),
        ('prompt = "Do."', 'promt = "Do."', "unknown key 'promt'"),
        ('id = "4.1"', 'id = "5.1"', "id '5.1'"),
        ('id = "4.q1"', 'id = "4.2"', "id '4.2'"),
        ('item = "4.1"', 'item = "4.9"', "item '4.9'"),
        ("[[question]]", "[[question", "cannot be read"),
        ('items = ["4.1"]', 'items = "4.1"', "items is '4.1'"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in GOOD
    with pytest.raises(ExerciseError, match=says):
        read(tmp_path, GOOD.replace(old, new, 1))


def test_an_id_that_is_there_twice(tmp_path: Path) -> None:
    again = GOOD[GOOD.index("[[exercise]]") : GOOD.index("[[question]]")]
    with pytest.raises(ExerciseError, match=r"4\.1 is there twice"):
        read(tmp_path, GOOD + again)


def test_a_folder_with_another_name_is_no_stage(tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match="'stage4'"):
        read(tmp_path, GOOD, name="stage4")


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    (tmp_path / "s1_x").mkdir()
    with pytest.raises(ExerciseError, match="cannot be read"):
        read_stage(tmp_path / "s1_x")
