from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from iree_layers.errors import LayersError
from iree_layers.learn import stage, stages
from iree_layers.learn.catalogue import find_exercise, find_question


@pytest.mark.parametrize("name", [9, "9", "s9", "s9_toy"])
def test_a_stage_has_several_names(toy_folder: Path, name: int | str) -> None:
    assert stage(name).path == toy_folder / "s9_toy"


def test_stages_come_in_order_of_their_numbers(toy_folder: Path) -> None:
    shutil.copytree(toy_folder / "s9_toy", toy_folder / "s10_more")
    manifest = toy_folder / "s10_more" / "stage.toml"
    manifest.write_text(manifest.read_text().replace('id = "9.', 'id = "10.'))
    assert [one.number for one in stages()] == [9, 10]
    assert find_exercise("10.2")[0].name == "s10_more"
    assert find_exercise("9.2")[0].name == "s9_toy"


def test_an_unknown_stage_is_an_error_with_all_names(toy_folder: Path) -> None:
    with pytest.raises(LayersError, match="s9_toy"):
        stage("s3")


def test_an_unknown_id_is_an_error_with_the_nearest(toy_folder: Path) -> None:
    with pytest.raises(LayersError) as caught:
        find_exercise("9.33")
    assert "did you mean '9.3'?" in str(caught.value)
    assert "9.1, 9.2, 9.3" in str(caught.value)
    with pytest.raises(LayersError, match=r"one of 9\.q1"):
        find_question("9.q7")


def test_exercise_and_question_are_not_mixed_up(toy_folder: Path) -> None:
    with pytest.raises(LayersError, match=r'predict\("9.q1"'):
        find_exercise("9.q1")
    with pytest.raises(LayersError, match=r'check\("9.1"'):
        find_question("9.1")
