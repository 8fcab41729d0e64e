"""The life of one tensor: what it is in each layer, with the line of IR that shows it.

show.life([("flow", "tensor<4x8xf32>", "%0 = hal.tensor.import %arg0 …"), …])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .lexer import coloured, plain
from .text import COLUMNS, LINES, count, cut, width
from .view import View, view

__all__ = ["life"]

_HTML_COLUMNS = 100


def life(steps: Iterable[tuple[str, str, str]], *, title: str = "") -> View:
    """A chain of boxes from top to bottom, one for each layer.

    Args:
        steps: (layer, what the tensor is there, the line of IR that shows it), in order; the line
            may be empty.
        title: a line above it.
    """
    every = [(layer, what, line.strip()) for layer, what, line in steps]
    room = LINES - bool(title)
    # Three lines for each but the last; one is left to say what is missing.
    shown = every if len(every) * 3 - 1 <= room else every[: room // 3]
    missing = len(every) - len(shown)
    rest = [f"… {count(missing, 'more layer')}"] if missing else []
    head = [title] if title else []
    body = f'<p class="k">{plain(title)}</p>' if title else ""
    body += f'<ol class="lf">{"".join(map(_item, shown))}</ol>'
    if rest:
        body += f'<p class="m">{rest[0]}</p>'
    return view([*head, *_text(shown), *rest], body, "code", "life")


def _text(steps: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    wide = max((width(layer) for layer, _, _ in steps), default=0)
    for k, (layer, what, line) in enumerate(steps):
        if k:
            yield f"{' ' * wide}  │"
        yield f"{' ' * (wide - width(layer))}{layer}  ●  {what}"
        if line:
            yield f"{' ' * wide}  │    {cut(line, COLUMNS - wide - 7)}"


def _item(step: tuple[str, str, str]) -> str:
    layer, what, line = step
    code = f'<div class="x">{coloured(cut(line, _HTML_COLUMNS))}</div>' if line else ""
    return f'<li><span class="m">{plain(layer)}</span> <b>{plain(what)}</b>{code}</li>'
