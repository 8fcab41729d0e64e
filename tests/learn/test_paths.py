from __future__ import annotations

from pathlib import Path

import pytest

from iree_layers.errors import LayersError
from iree_layers.learn.paths import progress_file, stages_folder


def make(folder: Path) -> Path:
    (folder / "stages" / "s1_one").mkdir(parents=True)
    (folder / "stages" / "s1_one" / "stage.toml").write_text('title = "one"\nitems = ["1.1"]\n')
    return folder / "stages"


def test_stages_are_found_from_the_notebook_s_folder_upward(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(tmp_path)
    (tmp_path / "notebooks" / "deep").mkdir(parents=True)
    monkeypatch.delenv("IREE_LAYERS_STAGES", raising=False)
    monkeypatch.chdir(tmp_path / "notebooks" / "deep")
    assert stages_folder() == folder


def test_the_variable_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    other = make(tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IREE_LAYERS_STAGES", str(other))
    assert stages_folder() == other


def test_a_variable_that_names_no_stages_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IREE_LAYERS_STAGES", str(tmp_path))
    with pytest.raises(LayersError, match="holds no stage"):
        stages_folder()


def test_a_folder_stages_without_a_manifest_is_passed_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(tmp_path)
    (tmp_path / "inner" / "stages").mkdir(parents=True)
    monkeypatch.delenv("IREE_LAYERS_STAGES", raising=False)
    monkeypatch.chdir(tmp_path / "inner")
    assert stages_folder() == folder


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"XDG_DATA_HOME": "/data"}, "/data/iree-layers/progress.json"),
        ({"HOME": "/home/ada"}, "/home/ada/.local/share/iree-layers/progress.json"),
        ({"HOME": "/home/ada", "XDG_DATA_HOME": ""}, None),
        ({"IREE_LAYERS_PROGRESS": "/x/p.json", "PYTEST_CURRENT_TEST": "x"}, "/x/p.json"),
        ({"IREE_LAYERS_PROGRESS": "off"}, "nowhere"),
        ({"IREE_LAYERS_PROGRESS": ""}, "nowhere"),
        ({"PYTEST_CURRENT_TEST": "x", "XDG_DATA_HOME": "/data"}, "nowhere"),
    ],
)
def test_progress_file(
    variables: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "IREE_LAYERS_PROGRESS", "PYTEST_CURRENT_TEST"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    file = progress_file()
    if expected == "nowhere":
        assert file is None
    else:
        assert file == Path(expected or "/home/ada/.local/share/iree-layers/progress.json")
