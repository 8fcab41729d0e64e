from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from iree_layers.learn import Stage, stage

DATA = Path(__file__).parent / "data"


@pytest.fixture
def toy_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A workbook with one toy stage that a test may damage, and a progress file of its own."""
    real = {name: module for name, module in sys.modules.items() if _is_of_stages(name)}
    folder = tmp_path / "stages"
    shutil.copytree(DATA / "stages", folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("IREE_LAYERS_STAGES", str(folder))
    monkeypatch.setenv("IREE_LAYERS_PROGRESS", str(tmp_path / "home" / "progress.json"))
    monkeypatch.setattr(sys.modules["iree_layers.learn.hint"], "_shown", {})
    yield folder
    # The toy took the name `stages`: the real stages are imported by other tests.
    for name in [name for name in sys.modules if _is_of_stages(name)]:
        del sys.modules[name]
    sys.modules.update(real)


def _is_of_stages(name: str) -> bool:
    return name.partition(".")[0] == "stages"


@pytest.fixture
def toy(toy_folder: Path) -> Stage:
    return stage(9)
