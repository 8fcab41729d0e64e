"""A bare `pytest --nbval FOLDER` is right: notebooks/conftest.py and nbval.cfg see to it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from iree_layers.learn.ipynb import read
from iree_layers.learn.notebook import build

ROOT = Path(__file__).parents[1]
TEXT = """# %% [markdown]
# # Toy
# %%
import os
from pathlib import Path

print(Path.cwd().name, os.environ["TQDM_DISABLE"], os.environ["IREE_LAYERS_PROGRESS"])
# %%
(3, "three")
# %% [ignore]
os.getpid()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the real configuration; its notebook names a kernel that is not here."""
    root = tmp_path_factory.mktemp("repository")
    (root / "notebooks").mkdir()
    shutil.copy(ROOT / "pyproject.toml", root)
    for name in ("conftest.py", "nbval.cfg"):
        shutil.copy(ROOT / "notebooks" / name, root / "notebooks")
    (root / "text.py").write_text(TEXT)
    build(root / "text.py", root / "notebooks" / "toy.ipynb")
    data = read(root / "notebooks" / "toy.ipynb")
    data["metadata"]["kernelspec"]["name"] = "no-such-kernel"
    (root / "notebooks" / "toy.ipynb").write_text(json.dumps(data))
    return root


def nbval(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "IREE_LAYERS"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval"]
    return subprocess.run(
        [*command, *arguments], cwd=cwd, env=inherited, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("cwd", "argument"),
    [(".", "notebooks"), ("notebooks", "."), ("..", "{root}/notebooks/toy.ipynb")],
)
def test_stored_outputs_pass_from_any_folder(folder: Path, cwd: str, argument: str) -> None:
    ran = nbval(argument.format(root=folder), cwd=folder / cwd)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout


def test_an_output_that_differs_fails(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    path = tmp_path / "copy" / "notebooks" / "toy.ipynb"
    text = path.read_text()
    assert "'three')" in text
    path.write_text(text.replace("'three')", "'four')"))
    ran = nbval("notebooks", cwd=tmp_path / "copy")
    assert ran.returncode == 1
    assert "1 failed, 2 passed" in ran.stdout
