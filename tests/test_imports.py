"""The tree is the architecture: data flows from compile to cli, and nothing imports upward."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "helpers" / "iree_layers"
ORDER = ["errors", "compile", "dump", "compare", "execute", "show", "learn", "commands", "cli"]
HEAVY = {"torch", "iree", "sklearn", "nbclient", "nbformat", "IPython", "onnx", "pytest"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def absolute(node: ast.ImportFrom, path: Path) -> str:
    """Module that a `from … import` names, relative to the package, '' for the outside."""
    if node.level == 0:
        name = node.module or ""
        return name.removeprefix("iree_layers.") if name.startswith("iree_layers.") else ""
    folder = list(path.relative_to(PACKAGE).parts[:-1])
    base = folder[: len(folder) - (node.level - 1)]
    return ".".join([*base, *([node.module] if node.module else [])])


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_imports_upward(path: Path) -> None:
    mine = layer_of(path)
    if mine == "__init__":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.ImportFrom):
            continue
        target = absolute(node, path).split(".")[0]
        if target in ORDER:
            assert ORDER.index(target) <= ORDER.index(mine), f"{path.name}:{node.lineno}: {target}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_heavy_packages_are_imported_where_they_are_used(path: Path) -> None:
    for node in ast.parse(path.read_text()).body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        assert not {name.split(".")[0] for name in names} & HEAVY, f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_public_names_exist(path: Path) -> None:
    """`__all__` is sorted and every name of it is defined in the module."""
    tree = ast.parse(path.read_text())
    exported = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    if not exported:
        return
    assert list(exported[0]) == sorted(exported[0], key=_ruff_order)


def _ruff_order(name: str) -> tuple[int, str]:
    """SCREAMING_CASE, then CamelCase, then the rest: the order that ruff's RUF022 keeps."""
    return (0 if name.isupper() else 1 if name[:1].isupper() else 2, name)


def test_the_library_imports_none_of_the_heavy_packages() -> None:
    code = "import iree_layers, sys; print(' '.join(sorted(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "iree.runtime", "iree.compiler", "sklearn"} & set(out.stdout.split())
