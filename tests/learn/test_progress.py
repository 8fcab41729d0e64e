from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from iree_layers.errors import LayersError
from iree_layers.learn import Stage, check, predict, progress, reset
from iree_layers.learn.progress import Entry, load, record


@pytest.fixture
def file(toy: Stage) -> Path:
    return Path(os.environ["IREE_LAYERS_PROGRESS"])


def test_progress_is_a_table_by_stage(toy: Stage) -> None:
    assert str(progress()) == "stage 9 A toy stage: ··· 0 of 3 solved, 0 of 1 guessed"
    check("9.1", 3)
    check("9.2", len)
    predict("9.q1", 3)
    assert str(progress()) == "stage 9 A toy stage: ✓✗· 1 of 3 solved, 1 of 1 guessed"
    check("9.2", lambda x: x + 1)
    check("9.3", "@f")
    assert str(progress()).endswith("✓✓✓ 3 of 3 solved, 1 of 1 guessed, finished")


def test_solved_stays_solved(toy: Stage) -> None:
    check("9.1", 3)
    check("9.1", 4)
    assert progress().entries["9.1"] == Entry(right=True, tries=2)


def test_it_is_one_file_and_leaves_nothing_else(toy: Stage, file: Path) -> None:
    record(toy, "9.1", right=True)
    record(toy, "9.2", hints=2)
    assert list(file.parent.iterdir()) == [file]
    assert json.loads(file.read_text()) == {
        "version": 1,
        "entries": {
            "9.1": {"right": True, "tries": 1, "hints": 0, "solution": False},
            "9.2": {"right": False, "tries": 0, "hints": 2, "solution": False},
        },
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"version": 1}',
        '{"version": 7, "entries": {}}',
        '{"version": 1, "entries": []}',
        '{"version": 1, "entries": {"9.1": {"wrong": 1}}}',
        '{"version": 1, "entries": {"9.1": {"tries": "many"}}}',
        '{"version": 1, "entries": {"9.1": 3}}',
        "\udc80",
    ],
)
def test_a_damaged_file_is_kept_aside_and_said(toy: Stage, file: Path, text: str) -> None:
    file.parent.mkdir()
    for number in (1, 2):
        file.write_bytes(text.encode(errors="surrogateescape"))
        with pytest.warns(UserWarning, match=rf"kept as .*progress\.json\.damaged-{number}"):
            record(toy, "9.1", right=True)
        aside = file.with_name(f"progress.json.damaged-{number}")
        assert aside.read_bytes() == text.encode(errors="surrogateescape")
    assert load(file) == {"9.1": Entry(right=True, tries=1)}


def test_a_failed_write_leaves_the_old_file(
    toy: Stage, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(toy, "9.1", right=True)
    before = file.read_text()

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.warns(UserWarning, match="not stored: disk full"):
        record(toy, "9.2", right=True)
    assert file.read_text() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_home_that_cannot_be_written_does_not_stop_the_check(
    toy: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").write_text("a file, not a folder")
    monkeypatch.setenv("IREE_LAYERS_PROGRESS", str(tmp_path / "plain" / "progress.json"))
    with pytest.warns(UserWarning, match="your progress"):
        assert check("9.1", 3).solved


def test_under_pytest_nothing_is_written(
    toy: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("IREE_LAYERS_PROGRESS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr(sys.modules["iree_layers.learn.progress"], "_unsaved", {})
    check("9.1", 3)
    assert progress().entries == {"9.1": Entry(right=True, tries=1)}
    assert progress().file is None
    assert not (tmp_path / "xdg").exists()


@pytest.mark.parametrize(
    ("what", "left"), [("9.1", ["9.2"]), ("9", []), ("all", []), ("9.3", ["9.1", "9.2"])]
)
def test_reset(toy: Stage, what: str, left: list[str]) -> None:
    record(toy, "9.1", right=True)
    record(toy, "9.2", right=True)
    assert list(reset(what).entries) == left
    assert list(progress().entries) == left


@pytest.mark.parametrize("what", ["", "9.", "8", "9.9"])
def test_reset_of_something_unknown_forgets_nothing(toy: Stage, what: str) -> None:
    record(toy, "9.1", right=True)
    with pytest.raises(LayersError, match="nothing"):
        reset(what)
    assert list(progress().entries) == ["9.1"]


def test_the_file_is_the_learner_s_alone(toy: Stage, file: Path) -> None:
    record(toy, "9.1", right=True)
    assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0
