"""The views in a real browser: readable in both themes, at both widths, and nothing goes wrong."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from iree_layers.compare.census import census as count
from iree_layers.compare.diff import diff as compare
from iree_layers.dump.trace import Trace
from iree_layers.show.borders import borders
from iree_layers.show.census import census
from iree_layers.show.diff import diff
from iree_layers.show.ir import ir
from iree_layers.show.life import life
from iree_layers.show.page import page
from iree_layers.show.passes import passes
from iree_layers.show.pipeline import pipeline
from iree_layers.show.strip import strip
from iree_layers.show.view import View, view

READABLE = 4.5
"contrast that WCAG 2 asks for, level AA"


@pytest.fixture(scope="module")
def views(mlp: Trace, hostile: str) -> Sequence[View]:
    """One of each."""
    flow, stream = mlp.phase("flow"), mlp.phase("stream")
    change = compare(mlp.phase("dispatch-creation"), flow)
    return (
        pipeline("stream"),
        strip(mlp),
        borders(mlp),
        passes(mlp),
        passes(mlp, "stream"),
        census(count(mlp)),
        ir(stream, mark="stream.cmd", numbers=True, title="the stream layer"),
        ir(hostile),
        diff(change, title="outline"),
        diff(change, title="outline", side_by_side=False),
        life([("flow", "tensor<4xf32>", "%0 = a.b %x : tensor<4xf32>")] * 3, title="life"),
    )


@pytest.mark.parametrize("wide", [1280, 600])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_can_be_read(browse: Callable, views: Sequence[View], dark, wide) -> None:
    seen = browse(page(views, dark=dark), wide=wide)
    assert seen.errors == []
    assert seen.scripts == 0
    assert seen.dark is dark
    assert len(seen.texts) > 300
    assert seen.worst["contrast"] >= READABLE, seen.worst
    assert seen.wide <= wide
    assert min(text["high"] for text in seen.texts) >= 9


def test_without_jupyterlab_the_system_decides(browse: Callable, views: Sequence[View]) -> None:
    for dark in (False, True):
        seen = browse(page(views), wide=1280, system_dark=dark)
        assert seen.dark is dark
        assert seen.worst["contrast"] >= READABLE, seen.worst


def test_the_theme_of_jupyterlab_beats_the_system(browse: Callable, views: Sequence[View]) -> None:
    seen = browse(page(views, dark=False), wide=1280, system_dark=True)
    assert seen.dark is False
    assert seen.worst["contrast"] >= READABLE, seen.worst


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_of_jupyterlab_itself_are_readable(
    browse: Callable, views: Sequence[View], theme: str
) -> None:
    themes = Path(sys.prefix) / "share/jupyter/lab/themes/@jupyterlab"
    sheet = themes / f"theme-{theme}-extension" / "index.css"
    if not sheet.is_file():
        pytest.skip("JupyterLab is not installed")
    # The variables alone: the rest of the file loads pictures.
    names = "".join(re.findall(r"--(?:jp|md)-[\w-]+:[^;{}]*;", sheet.read_text(encoding="utf-8")))
    assert "--jp-layout-color0" in names
    html = page(views, dark=theme == "dark").replace(
        "<body", f"<style>:root{{{names}}}</style><body"
    )
    seen = browse(html, wide=1280)
    assert seen.errors == []
    assert seen.worst["contrast"] >= READABLE, seen.worst


def test_the_check_notices_what_cannot_be_read(browse: Callable) -> None:
    grey = view([], '<p style="color:#999">faint</p><p>clear</p>')
    seen = browse(page([grey], dark=False), wide=600)
    assert seen.worst["what"] == "faint"
    assert seen.worst["contrast"] < READABLE
    assert [text["contrast"] > READABLE for text in seen.texts] == [False, True]


def test_the_check_notices_errors_and_scripts(browse: Callable) -> None:
    seen = browse(page([View("", "<script>console.error('no')</script>")], dark=False), wide=600)
    assert seen.scripts == 1
    assert "no" in seen.errors[0]
