from __future__ import annotations

import pytest

from iree_layers.dump.trace import Trace
from iree_layers.errors import LayersError
from iree_layers.show.pipeline import BOXES, pipeline


def test_every_box_of_the_study_plan_is_there_in_order() -> None:
    shown = pipeline()
    titles = [box.title for box in BOXES]
    assert titles == [
        *("Frameworks", "Importers", "Input dialects", "Flow", "Stream", "HAL", "Codegen", "VM"),
        "iree-runtime",
    ]
    at = [shown.html.index(f">{title}<") for title in titles]
    assert at == sorted(at)
    for words in (
        "StableHLO",
        "TOSA",
        "linalg",
        "SPIR-V",
        "timepoints",
        "command buffer",
        "Vulkan",
    ):
        assert words in shown.text
        assert words in shown.html


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.name)
def test_one_box_is_lit_and_its_stage_is_in_it(box) -> None:
    shown = pipeline(box.name)
    assert shown.html.count('class="on"') == 1
    assert f"▸ {box.title}<" in shown.html
    (line,) = [line for line in shown.text.split("\n") if "▶ " + box.title in line]
    assert f"║ ▶ {box.title}" in line
    assert box.stages in line


def test_nothing_is_lit_unless_asked() -> None:
    assert 'class="on"' not in pipeline().html
    assert "║" not in pipeline().text
    assert pipeline(None) == pipeline()


def test_several_boxes_can_be_lit() -> None:
    assert pipeline("flow", "stream", "hal", "codegen", "vm").html.count('class="on"') == 5
    assert pipeline("hal", "hal") == pipeline("hal")


def test_every_phase_of_the_compiler_lights_a_box(mlp: Trace) -> None:
    for phase in mlp.phases:
        assert pipeline(phase).html.count('class="on"') == 1
    assert pipeline("executable-targets") == pipeline("codegen")
    assert pipeline("dispatch-creation") == pipeline("flow")


def test_an_unknown_box_gets_the_nearest_one() -> None:
    with pytest.raises(LayersError, match="no box 'strem'") as error:
        pipeline("strem")
    assert error.value.todo == "did you mean 'stream'?"


def test_the_picture_is_small() -> None:
    assert len(pipeline("stream").html) < 6000
