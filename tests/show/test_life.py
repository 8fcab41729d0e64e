from __future__ import annotations

from iree_layers.show.life import life

STEPS = [
    ("input", "tensor<4x8xf32>", "%x: tensor<4x8xf32>"),
    (
        "abi",
        "!hal.buffer_view",
        "    %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<4x8xf32>",
    ),
    ("vm", "a reference", ""),
]


def test_each_layer_is_a_box_in_order() -> None:
    assert life(STEPS, title="x").text.split("\n") == [
        "x",
        "input  ●  tensor<4x8xf32>",
        "       │    %x: tensor<4x8xf32>",
        "       │",
        "  abi  ●  !hal.buffer_view",
        "       │    %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<4x8xf32>",
        "       │",
        "   vm  ●  a reference",
    ]
    assert life(STEPS).html.count("<li>") == 3


def test_a_long_life_says_how_many_layers_are_missing() -> None:
    shown = life([("a", "b", "c.d")] * 40)
    assert shown.text.split("\n")[-1] == "… 27 more layers"
    assert shown.html.count("<li>") == 13
    assert len(shown.text.split("\n")) <= 40


def test_hostile_lines_are_text(hostile: str) -> None:
    shown = life([(hostile, hostile, hostile)], title=hostile)
    assert "<img" not in shown.html
    assert "<script" not in shown.html
    shown.html.encode()


def test_no_life_at_all() -> None:
    assert life([]).text == ""
