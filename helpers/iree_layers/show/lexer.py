"""MLIR text to HTML with colours, line by line, with the lexer of mlir-pygments 1.0.0.

That lexer does not know `%111#0`, `%c-1_i64`, `-1` and `-avx` (5 538 error tokens in a dump of
5 MB); three rules in front of its own mend that, and a fourth colours `vector<…>` like `tensor<…>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import Any, ClassVar

from mlir_pygments import MLIRLexer
from pygments.token import (
    Comment,
    Keyword,
    Literal,
    Name,
    Punctuation,
    _TokenType,
)

from .text import visible

__all__ = ["Lexer", "coloured", "plain"]


class Lexer(MLIRLexer):  # type: ignore[misc]  # mlir_pygments is untyped here
    """MLIR as IREE 3.13 prints it, without error tokens."""

    tokens: ClassVar[dict[str, Any]] = {
        **MLIRLexer.tokens,
        "root": [
            # %111#0, %c-1_i64, %arg0
            (r"%[A-Za-z_$.\-0-9]+(#\d+)?", Name.Variable),
            # dense<-1.5e-3>
            (r"-\d+(\.\d+)?([eE][-+]?\d+)?", Literal.Number),
            # cpu_features = +avx,-avx512f
            (r"[+-](?=[A-Za-z])", Literal.String),
            # vector<8xf32>
            (r"vector(?=<)", Keyword.Type),
            *MLIRLexer.tokens["root"],
        ],
    }


# Short tags instead of classes: most of what a view weighs is the tags around its words. Where a
# page strips style sheets (an untrusted notebook), they still tell the words apart.
_TAGS: tuple[tuple[_TokenType, str], ...] = (
    (Name.Variable.Global, "samp"),
    (Name.Variable, "var"),
    (Name.Label, "samp"),
    (Name.Namespace, "u"),
    (Name.Function, "u"),
    (Name.Type, "i"),
    (Keyword.Type, "i"),
    (Name.Attribute, "dfn"),
    (Literal.String, "em"),
    (Comment, "cite"),
)

_MARKS = ("<mark>", "</mark>")

# What stands between two coloured parts of `tensor<4x?xf32>`; one span for all three is smaller.
_IN_TYPE = re.compile(r"[<x0-9?]+")


@lru_cache(maxsize=4096)
def coloured(line: str, marks: tuple[tuple[int, int], ...] = ()) -> str:
    """One line as HTML; long lines must be cut before.

    Args:
        line: the line.
        marks: half-open ranges of its characters, sorted and apart, that get a `<mark>`.
    """
    tokens = _merged(_types(list(_tokens(visible(line)))))
    return "".join(_html(tokens if not marks else _split(tokens, marks)))


def _html(tokens: Iterator[tuple[str, str]]) -> Iterator[str]:
    for kind, text in tokens:
        if kind in _MARKS:
            yield text
        elif kind:
            inner = _op(text) if kind == "u" else plain(text)
            yield f"<{kind}>{inner}</{kind}>"
        else:
            yield plain(text)


def _split(
    tokens: Iterator[tuple[str, str]], marks: tuple[tuple[int, int], ...]
) -> Iterator[tuple[str, str]]:
    """Tokens cut where a mark begins or ends, with the tags of the marks between them."""
    edges = [(k, _MARKS[side]) for mark in marks for side, k in enumerate(mark)]
    position = 0
    for kind, text in tokens:
        end = position + len(text)
        while edges and edges[0][0] < end:
            edge, tag = edges.pop(0)
            if edge > position:
                yield kind, text[: edge - position]
                text, position = text[edge - position :], edge
            yield tag, tag
        yield kind, text
        position = end
    for _, tag in edges:
        yield tag, tag


def plain(line: str) -> str:
    """One line as HTML without colours."""
    return escape(visible(line), quote=False)


def _tokens(line: str) -> Iterator[tuple[str, str]]:
    """Class and text; the rule for comments needs the end of the line."""
    in_op = False
    for _, token, text in Lexer().get_tokens_unprocessed(line + "\n"):
        kind = next((name for parent, name in _TAGS if token in parent), "")
        if in_op and token is Punctuation:
            kind = "u"
        in_op = token is Name.Namespace
        if text := text.rstrip("\n"):
            yield kind, text


def _types(tokens: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Let a shape between two type words be part of the type."""
    tokens = list(_merged(iter(tokens)))
    for k, (kind, text) in enumerate(tokens):
        inside = 0 < k < len(tokens) - 1 and tokens[k - 1][0] == tokens[k + 1][0] == "i"
        yield ("i" if inside and _IN_TYPE.fullmatch(text) else kind), text


def _merged(tokens: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Neighbours of one class as one."""
    last: tuple[str, str] | None = None
    for kind, text in tokens:
        if last and last[0] == kind:
            last = (kind, last[1] + text)
            continue
        if last:
            yield last
        last = (kind, text)
    if last:
        yield last


def _op(text: str) -> str:
    """An op with its dialect in bold: that is what tells layers apart."""
    dialect, dot, name = text.partition(".")
    return f"<b>{plain(dialect)}</b>{dot}{plain(name)}"
