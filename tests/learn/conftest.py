from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from iree_layers.learn import Stage, stage

DATA = Path(__file__).parent / "data"


@pytest.fixture
def toy_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workbook with one toy stage that a test may damage, and a progress file of its own."""
    folder = tmp_path / "stages"
    shutil.copytree(DATA / "stages", folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("IREE_LAYERS_STAGES", str(folder))
    monkeypatch.setenv("IREE_LAYERS_PROGRESS", str(tmp_path / "home" / "progress.json"))
    monkeypatch.setattr(sys.modules["iree_layers.learn.hint"], "_shown", {})
    return folder


@pytest.fixture
def toy(toy_folder: Path) -> Stage:
    return stage(9)
