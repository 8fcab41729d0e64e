"""The rules that a stored notebook keeps, each a function from notebook to problems.

    validate(path)      all rules, problems one line each
    RULES               the rules that need the notebook alone, by name

Why there are rules: nbval compares a cell only if its count is stored; a stored path, time, colour
or warning belongs to one machine; nbval never compares a PNG; and prose outside of markdown cells
could not be translated, as all editions of a notebook share their code cells.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from .ipynb import read
from .script import METADATA, TAGS, Notebook, cell_ids

__all__ = ["RULES", "code_cells", "is_ignored", "texts_of", "validate"]

MAX_CODE = 12
"lines of a code cell, blank ones not counted"
MAX_OUTPUT = 40
"lines of text that a cell prints and shows"
MAX_WIDTH = 150
"columns of such a line"
MAX_BYTES = 200_000
"size of the file"
MAX_WORDS = 8
"words in a comment, or in a text that a cell prints itself; more is prose"

# 2026-12-01T06:01:30 or 2026-12-01 06:01
_TIMESTAMP = re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
# /home/ada/.venv/bin/iree-compile, /tmp/tmpab12/x.mlir, C:\Users\ada; not https://iree.dev/home/x
_PATH = re.compile(
    r"(?<![\w.:/])/(?:home|root|Users|tmp|private|var|usr|opt|mnt|srv|work|workspace|builds)/\w"
    r"|\b[A-Z]:\\\w"
)
# [the map](../stages/s2_pipeline/map.svg "title")
_LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?[^)]*\)|(?:src|href)=[\"']([^\"']+)[\"']")


def validate(path: Path) -> list[str]:
    """What is wrong with the notebook stored at `path`, one line each; empty if nothing is.

    Raises:
        ExerciseError: the file is not a notebook.
    """
    notebook = read(path)
    problems = [problem for rule in RULES.values() for problem in rule(notebook)]
    problems += _dead_links(notebook, path.parent)
    size = path.stat().st_size
    if size >= MAX_BYTES:
        problems.append(f"the file has {size} bytes; fewer than {MAX_BYTES} are allowed")
    return problems


def code_cells(notebook: Notebook) -> list[Notebook]:
    """The code cells, in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def is_ignored(cell: Notebook) -> bool:
    """Is the cell's output left out of the comparison, by tag or by comment?"""
    comment = re.search(
        r"(?m)^\s*#+\s*(?:NBVAL|PYTEST_VALIDATE)_(?:IGNORE_OUTPUT|SKIP)\b", cell["source"]
    )
    return TAGS["ignore"] in cell["metadata"].get("tags", []) or comment is not None


def texts_of(output: Notebook, *, mime: str = "text/plain") -> Iterator[str]:
    """The text of an output: of a stream, of an error, or of a value shown as `mime`."""
    if output["output_type"] == "stream":
        yield output["text"]
    elif output["output_type"] == "error":
        yield f"{output['ename']}: {output['evalue']}"
    elif mime in output["data"]:
        yield str(output["data"][mime])


def _counts(notebook: Notebook) -> Iterator[str]:
    counts = [cell["execution_count"] for cell in code_cells(notebook)]
    if counts != list(range(1, len(counts) + 1)):
        yield f"execution counts are {counts}: run all cells of a new kernel (`make notebooks`)"
    if counts and not any(cell["outputs"] for cell in code_cells(notebook)):
        yield "no cell has an output stored: nbval would have nothing to compare"


def _metadata(notebook: Notebook) -> Iterator[str]:
    if notebook["metadata"] != METADATA:
        yield f"metadata is {dict(notebook['metadata'])}, should be {METADATA}"
    for cell, id in zip(notebook["cells"], cell_ids(notebook["cells"]), strict=True):
        if cell.get("id") != id:
            yield f"cell id {cell.get('id')} should be {id}: refresh the notebook"
        if set(cell["metadata"]) - {"tags"}:
            yield f"{_place(cell)} has metadata {dict(cell['metadata'])}; only tags are kept"
        unknown = set(cell["metadata"].get("tags", [])) - set(TAGS.values())
        if unknown:
            yield f"{_place(cell)} has the tag {', '.join(sorted(unknown))}"


def _order(notebook: Notebook) -> Iterator[str]:
    cells = notebook["cells"]
    if not cells or cells[0]["cell_type"] != "markdown" or not cells[0]["source"].startswith("# "):
        yield "the first cell should be markdown with the title, `# …`"


def _code(notebook: Notebook) -> Iterator[str]:
    for cell in code_cells(notebook):
        lines = [line for line in cell["source"].splitlines() if line.strip()]
        if len(lines) > MAX_CODE:
            yield f"{_place(cell)} has {len(lines)} lines; at most {MAX_CODE}"
        magic = [line for line in lines if line.lstrip().startswith(("!", "%"))]
        if magic and _parsed(cell) is None:
            yield f"{_place(cell)}: {magic[0].strip()!r} is not Python: use a helper"
        elif _parsed(cell) is None:
            yield f"{_place(cell)} is not Python"
        if re.search(r"\bNBVAL_|\bPYTEST_VALIDATE", cell["source"]):
            yield f"{_place(cell)}: use a tag instead of an nbval comment"


def _prose(notebook: Notebook) -> Iterator[str]:
    """Comments and printed texts in code cells are short labels, not explanations."""
    for cell in code_cells(notebook):
        for text in (*_comments(cell), *_printed(cell)):
            if len(re.findall(r"[^\W\d_]{2,}", text)) > MAX_WORDS:
                yield f"{_place(cell)}: {text[:50]!r}… is prose; it belongs into a markdown cell"


def _outputs(notebook: Notebook) -> Iterator[str]:
    for cell in code_cells(notebook):
        lines = [
            line
            for output in cell["outputs"]
            for text in texts_of(output)
            for line in text.rstrip("\n").split("\n")
        ]
        if len(lines) > MAX_OUTPUT:
            yield f"{_place(cell)} shows {len(lines)} lines; at most {MAX_OUTPUT}"
        widest = max(map(len, lines), default=0)
        if widest > MAX_WIDTH:
            yield f"{_place(cell)} shows a line of {widest} columns; at most {MAX_WIDTH}"
        for output in cell["outputs"]:
            yield from _output(cell, output)


def _output(cell: Notebook, output: Notebook) -> Iterator[str]:
    place = _place(cell)
    if output["output_type"] == "stream" and output["name"] == "stderr":
        yield f"{place} has stderr: {output['text'][:80]!r}"
    raises = TAGS["raises"] in cell["metadata"].get("tags", [])
    if output["output_type"] == "error" and not raises:
        yield f"{place} has an error: {output['ename']}: {output['evalue'][:80]}"
    for mime in output.get("data", {}):
        if mime in ("image/png", "image/jpeg"):
            yield f"{place} has {mime}, which nbval never compares: show SVG, HTML or text"
        if mime.startswith("application/vnd.jupyter.widget"):
            yield f"{place} has a widget, which shows nothing when it is stored"


def _of_one_machine(notebook: Notebook) -> Iterator[str]:
    """No text of the notebook, shown or hidden, holds what is true on one machine or day only."""
    kinds = {
        "an absolute path": _PATH,
        "a time": _TIMESTAMP,
        "a colour code": re.compile(r"\x1b\["),
    }
    for cell in notebook["cells"]:
        outputs = cell.get("outputs", [])
        texts = [cell["source"], *(t for o in outputs if "data" not in o for t in texts_of(o))]
        texts += [str(value) for o in outputs for value in o.get("data", {}).values()]
        for what, pattern in kinds.items():
            found = next(filter(None, map(pattern.search, texts)), None)
            if found is not None:
                near = found.string[max(0, found.start() - 10) : found.end() + 30]
                yield f"{_place(cell)} has {what}: {near!r}"


RULES: Mapping[str, Callable[[Notebook], Iterator[str]]] = {
    "counts": _counts,
    "metadata": _metadata,
    "order": _order,
    "code": _code,
    "prose": _prose,
    "outputs": _outputs,
    "one machine": _of_one_machine,
}


def _dead_links(notebook: Notebook, folder: Path) -> Iterator[str]:
    """Links of markdown cells to files that are not there; the network is not asked."""
    for cell in notebook["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        for link in (one or other for one, other in _LINK.findall(cell["source"])):
            target, _, _ = link.partition("#")
            if link.startswith("http://"):
                yield f"{_place(cell)}: {link} is not https"
            elif target and ":" not in target and not (folder / target).exists():
                yield f"{_place(cell)}: there is no {target} beside the notebook"


def _place(cell: Notebook) -> str:
    first = cell["source"].strip().split("\n")[0]
    return f"{cell['cell_type']} cell {first[:40]!r}"


def _parsed(cell: Notebook) -> ast.Module | None:
    source: str = cell["source"]
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def _comments(cell: Notebook) -> list[str]:
    return re.findall(r"(?m)(?:^|\s{2})#\s*(.*)$", cell["source"])


def _printed(cell: Notebook) -> Iterator[str]:
    """Texts that a cell shows as they stand: bare strings, arguments of print and display."""
    for node in ast.walk(_parsed(cell) or ast.Module([], [])):
        shown: list[ast.expr] = []
        if isinstance(node, ast.Expr):
            shown = [node.value]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            shown = node.args if node.func.id in ("print", "display", "Markdown", "HTML") else []
        for value in shown:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value
            elif isinstance(value, ast.JoinedStr):
                parts = [part.value for part in value.values if isinstance(part, ast.Constant)]
                yield " ".join(map(str, parts))
