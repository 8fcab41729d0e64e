"""The notebooks as files: the rules of `iree_layers.learn.rules`, the sanitiser, the allow-list.

Whether their outputs are right is not asked here but by `pytest --nbval notebooks/`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from nbval.plugin import get_sanitize_patterns

from iree_layers.learn.audit import is_learners
from iree_layers.learn.ipynb import read
from iree_layers.learn.rules import code_cells, is_ignored, texts_of, validate
from iree_layers.learn.script import Notebook

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CONFIG = (ROOT / "notebooks" / "nbval.cfg").read_text(encoding="utf-8")
ALLOWED = tomllib.loads((ROOT / "tests" / "ignored_cells.toml").read_text(encoding="utf-8"))

# A section of nbval.cfg, which nbval itself reads as pairs of `regex:` and `replace:` lines:
#     # Times are never the same twice.
#     [durations with a unit]
#     sample: 746 snapshots in 1.24 seconds
#     regex: \d+ seconds
#     replace: <TIME>
_SECTION = re.compile(
    r"(?m)^# (?P<reason>.+)\n\[(?P<name>.+)\]\nsample: (?P<sample>.+)\n"
    r"regex: (?P<regex>.+)\nreplace: (?P<replace>\S+)$"
)
RULES = [match.groupdict() for match in _SECTION.finditer(CONFIG)]
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
each_rule = pytest.mark.parametrize("rule", RULES, ids=[rule["name"] for rule in RULES])


@each_notebook
def test_a_notebook_keeps_the_rules(path: Path) -> None:
    problems = validate(path)
    assert not problems, "\n".join(problems)


@each_notebook
def test_a_notebook_belongs_to_a_stage(path: Path) -> None:
    assert (ROOT / "stages" / path.stem / "stage.toml").is_file()


def test_no_other_files_are_among_the_notebooks() -> None:
    names = {path.name for path in (ROOT / "notebooks").iterdir() if path.suffix}
    assert names - {path.name for path in NOTEBOOKS} <= {"conftest.py", "nbval.cfg"}


def first_line(cell: Notebook) -> str:
    return str(cell["source"].strip().splitlines()[0])


def ignored(path: Path) -> Iterator[Notebook]:
    return (cell for cell in code_cells(read(path)) if is_ignored(cell))


def test_the_number_of_cells_that_are_not_compared_is_pinned() -> None:
    found = [f"{path.stem}: {first_line(cell)}" for path in NOTEBOOKS for cell in ignored(path)]
    assert len(found) == ALLOWED["count"], "\n".join(found)


@each_notebook
def test_every_cell_that_is_not_compared_has_a_reason(path: Path) -> None:
    reasons = ALLOWED.get(path.stem, {})
    lines = [first_line(cell) for cell in ignored(path) if not is_learners(cell)]
    assert sorted(lines) == sorted(reasons), f"[{path.stem}] of ignored_cells.toml: first lines"
    assert all(reason.strip() for reason in reasons.values())


def test_every_rule_is_read_by_nbval_as_it_is_written() -> None:
    written = [(rule["regex"], rule["replace"]) for rule in RULES]
    assert get_sanitize_patterns(CONFIG) == written
    assert CONFIG.count("\nregex:") == len(RULES), "reason, [name], sample, regex, replace"


@each_rule
def test_a_rule_changes_its_sample(rule: dict[str, str]) -> None:
    changed = re.sub(rule["regex"], rule["replace"], rule["sample"])
    assert rule["replace"] in changed
    assert re.sub(rule["regex"], rule["replace"], changed) == changed, "a second time changes more"


def dumps() -> Iterator[tuple[str, str]]:
    """Name and text of all dumps and phase files; a table of `--mlir-timing` is not IR."""
    for path in sorted((ROOT / "ir_samples").rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        if path.suffix == ".zst":
            data = zstandard.ZstdDecompressor().stream_reader(data).read()
        if b"func" in data and b"Execution time report" not in data:
            yield path.name, data.decode(errors="replace")


@each_rule
def test_a_rule_leaves_real_ir_alone(rule: dict[str, str]) -> None:
    pattern = re.compile(rule["regex"])
    seen = 0
    for name, text in dumps():
        found = pattern.search(text)
        assert found is None, f"{name}: {found.group() if found else ''}"
        seen += text.count("IR Dump After")
    assert seen > 100, "ir_samples/ holds no real dump"


def compared(path: Path) -> Iterator[str]:
    """All stored text of a notebook that nbval compares."""
    for cell in code_cells(read(path)):
        if not is_ignored(cell):
            for output in cell["outputs"]:
                yield from texts_of(output)
                yield from texts_of(output, mime="text/html") if "data" in output else ()


@each_rule
def test_a_rule_is_needed(rule: dict[str, str]) -> None:
    """A rule that changes no stored output is a hole in the comparison and nothing else."""
    if not NOTEBOOKS:
        pytest.skip("there is no notebook yet")
    texts = (text for path in NOTEBOOKS for text in compared(path))
    assert any(re.search(rule["regex"], text) for text in texts), "remove it from nbval.cfg"
