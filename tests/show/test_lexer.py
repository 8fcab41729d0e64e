from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Error

from iree_layers.dump.trace import Trace
from iree_layers.show.lexer import Lexer, coloured, plain
from iree_layers.show.text import visible


def bare(html: str) -> str:
    return unescape(re.sub(r"</?(?:b|mark|u|var|samp|i|dfn|em|cite)>", "", html))


def test_the_whole_of_a_trace_has_no_error_token(mlp: Trace) -> None:
    lexer = Lexer()
    texts = {s.content: mlp.text(s) for s in mlp if s.same_as is None}
    wrong = [
        (text[max(at - 20, 0) : at + 20], found)
        for text in list(texts.values())[::3]
        for at, token, found in lexer.get_tokens_unprocessed(text)
        if token is Error
    ]
    assert not wrong[:5]


@pytest.mark.parametrize(
    ("line", "html"),
    [
        ("%111#0", "<var>%111#0</var>"),
        ("%c-1_i64", "<var>%c-1_i64</var>"),
        ("@f::@g", "<samp>@f</samp>::<samp>@g</samp>"),
        ("linalg.matmul", "<u><b>linalg</b>.matmul</u>"),
        ("tensor<4x?xf32>", "<i>tensor&lt;4x?xf32</i>&gt;"),
        ("vector<8xf32>", "<i>vector&lt;8xf32</i>&gt;"),
        ("!hal.buffer_view", "<i>!hal.buffer_view</i>"),
        ("#map1", "<dfn>#map1</dfn>"),
        ("// pred: ^bb0", "<cite>// pred: ^bb0</cite>"),
        ('"a < b"', '<em>"a &lt; b"</em>'),
        ("dense<-1.5e-3>", "dense&lt;-1.5e-3&gt;"),
    ],
)
def test_colours(line: str, html: str) -> None:
    assert coloured(line) == html


@given(st.text(st.characters(), max_size=120))
def test_colours_lose_no_character(line: str) -> None:
    line = line.replace("\n", " ")
    assert bare(coloured(line)) == visible(line)
    assert unescape(plain(line)) == visible(line)


@given(st.integers(0, 60), st.integers(1, 30))
def test_marks_are_where_they_should_be(start: int, size: int) -> None:
    line = "%0 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4x16xf32>) -> tensor<4x16xf32>"
    html = coloured(line, ((start, start + size),))
    assert bare(html) == line
    inside = re.search(r"<mark>(.*)</mark>", html)
    assert inside
    assert bare(inside[1]) == line[start : start + size]
    # Nesting: no colour begins outside of a mark and ends in it.
    assert inside[1].count("<var>") == inside[1].count("</var>")
    assert inside[1].count("<i>") == inside[1].count("</i>")


def test_marks_beyond_the_end_are_closed() -> None:
    assert coloured("ab", ((1, 9),)) == "a<mark>b</mark>"
