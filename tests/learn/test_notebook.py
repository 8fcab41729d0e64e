"""Build, refresh and the command line, in real kernels (about a second each)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from iree_layers.errors import ExerciseError, ToolMissing
from iree_layers.learn import ipynb
from iree_layers.learn.notebook import build, main, read, refresh, write
from iree_layers.learn.rules import validate
from iree_layers.learn.script import from_text

GOOD = """# %% [markdown]
# # A title
# %%
import os
from pathlib import Path

print(Path.cwd().name)
print(os.environ["TQDM_DISABLE"], os.environ["IREE_LAYERS_PROGRESS"])
6 * 7
# %% [markdown]
# The next cell is different each time.
# %% [ignore]
import time

time.perf_counter()
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "text.py"
    path.write_text(GOOD)
    return path


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    (tmp_path / "lessons").mkdir()
    return tmp_path / "lessons" / "n.ipynb"


def test_build_then_refresh(script: Path, notebook: Path) -> None:
    assert build(script, notebook)
    code = [cell for cell in read(notebook)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [1, 2]
    assert code[0]["outputs"][0]["text"] == "lessons\n1 off\n"
    assert code[0]["outputs"][1]["data"] == {"text/plain": "42"}
    assert validate(notebook) == []

    before = notebook.read_bytes()
    assert not refresh(notebook), "only the ignored cell came out differently"
    assert notebook.read_bytes() == before
    assert refresh(notebook, force=True)
    assert notebook.read_bytes() != before

    text = notebook.read_text()
    notebook.write_text(text.replace('"name": "python"', '"name": "python", "version": "3.11.7"'))
    assert refresh(notebook), "Lab had stored the version"
    assert "3.11.7" not in notebook.read_text()

    changed = notebook.read_text().replace("6 * 7", "6 * 8")
    notebook.write_text(changed)
    assert refresh(notebook)
    assert '"48"' in notebook.read_text()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("raise ValueError('no')", r"code cell 2 failed[\s\S]*ValueError: no"),
        ("import os; os._exit(3)", r"code cell 2 failed[\s\S]*Kernel died"),
        ("import time; time.sleep(60)", r"code cell 2 failed[\s\S]*timed out"),
    ],
)
def test_a_cell_that_fails_is_named_and_nothing_is_stored(
    script: Path, notebook: Path, line: str, says: str
) -> None:
    script.write_text(f"# %%\n1\n# %%\n{line}\n# %%\n3\n")
    with pytest.raises(ExerciseError, match=says) as caught:
        build(script, notebook, timeout=3)
    assert "\x1b" not in str(caught.value)
    assert not notebook.exists()


def test_the_command_line(script: Path, notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(script), str(notebook)]) == 0
    assert capsys.readouterr().out == f"{notebook}: written\n"
    assert main(["refresh", str(notebook)]) == 0
    assert capsys.readouterr().out == f"{notebook}: unchanged\n"
    assert main(["text", str(notebook)]) == 0
    assert from_text(capsys.readouterr().out)["cells"] == from_text(GOOD)["cells"]
    assert main(["validate", str(notebook)]) == 0
    notebook.write_text(
        notebook.read_text().replace('"execution_count": 2', '"execution_count": 5')
    )
    assert main(["validate", str(notebook)]) == 1
    assert "execution counts are [1, 5]" in capsys.readouterr().err


def test_a_stored_warning_is_reported(
    script: Path, notebook: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script.write_text(
        "# %% [markdown]\n# # T\n# %%\nimport sys\n\nprint('late', file=sys.stderr)\n1\n"
    )
    assert main(["build", str(script), str(notebook)]) == 1
    assert "has stderr: 'late" in capsys.readouterr().err


def test_errors_are_one_paragraph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "no.ipynb").write_text("{}")
    (tmp_path / "list.ipynb").write_text("[]")
    (tmp_path / "text.ipynb").write_text("x")
    for name in ("no.ipynb", "list.ipynb", "text.ipynb", "missing.ipynb"):
        assert main(["validate", str(tmp_path / name)]) == 1
        error = capsys.readouterr().err
        assert error.startswith("ExerciseError: ")
        assert name in error


def test_volatile_parts_are_not_stored(tmp_path: Path) -> None:
    notebook = from_text("# %%\n1\n")
    cell = notebook["cells"][0]
    cell["metadata"] = {"execution": {"iopub.status.busy": "2026-12-01T06:00:00"}, "scrolled": True}
    cell["execution_count"] = 1
    cell["outputs"] = [
        {
            "output_type": "execute_result",
            "execution_count": 1,
            "metadata": {"isolated": True},
            "data": {"text/plain": "1"},
        },
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["\x1b[0;31mE\x1b[0m"]},
    ]
    notebook["metadata"] = {"language_info": {"version": "3.11.7"}, "widgets": {"state": {}}}
    path = tmp_path / "n.ipynb"
    assert write(notebook, path)
    text = path.read_text()
    for volatile in ("2026", "3.11.7", "isolated", "scrolled", "widgets", "\\u001b", "\x1b"):
        assert volatile not in text
    assert json.loads(text)["cells"][0]["execution_count"] == 1
    assert not write(read(path), path)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ToolMissing, match="nosuchmodule is not installed"):
        ipynb.need("nosuchmodule")
