from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from iree_layers.show.page import page, picture
from iree_layers.show.pipeline import pipeline
from iree_layers.show.view import View


def test_a_page_holds_its_views_in_order_and_no_script() -> None:
    html = page([View("a < b"), pipeline("flow")], title="x & y")
    assert html.index("a &lt; b") < html.index('class="on"')
    assert "<title>x &amp; y</title>" in html
    assert "<script" not in html


def test_a_page_tells_the_theme_as_jupyterlab_does() -> None:
    assert 'data-jp-theme-light="false"' in page([], dark=True)
    assert 'data-jp-theme-light="true"' in page([], dark=False)
    assert "data-jp-theme-light=" not in page([])


def test_a_picture_is_a_file_of_its_own() -> None:
    svg = picture(pipeline("hal").html)
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert ".il .bx" in svg


def test_a_view_without_a_drawing_is_no_picture() -> None:
    with pytest.raises(ValueError, match="no drawing"):
        picture("<p>a</p>")
