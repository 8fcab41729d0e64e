"""The README shows what the tools really say: its picture, its output, its links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from iree_layers import program, show, trace
from iree_layers.dump import Trace

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = ROOT / "stages" / "s2_pipeline" / "strip.svg"


@pytest.fixture(scope="module")
def mlp() -> Trace:
    return trace(program(ROOT / "stages" / "s2_pipeline" / "mlp.mlir"))


def test_the_picture_is_drawn_from_a_real_trace(mlp: Trace) -> None:
    """To draw it anew: PICTURE.write_text(show.picture(show.drawing(t)))."""
    assert PICTURE.read_text(encoding="utf-8") == show.picture(show.drawing(mlp))


def test_the_shown_output_is_real(mlp: Trace) -> None:
    shown = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert shown
    assert shown[1].strip() == str(show.summary(mlp)).strip()


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`?make (?:PYTHON=\S+ )?(\w+)", README))
    assert named <= targets
    assert {"lab", "test", "notebooks", "bench"} <= named
