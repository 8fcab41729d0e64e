"""IR text with MLIR colours: all of it if it is short, else a part, and what was left out.

show.ir(trace.phase("flow"))                     # the first lines
show.ir(trace.phase("flow"), only="@mlp")        # one op with all that is in it
show.ir(trace.phase("flow"), only=(20, 30))      # lines 20 to 30, counted from 1
show.ir(text, mark="flow.dispatch")              # lines that hold this stand out
"""

from __future__ import annotations

import difflib
import fnmatch
import re
from collections.abc import Iterator, Sequence

from ..errors import LayersError
from .lexer import coloured, plain
from .text import LINES, count, cut, pad
from .view import View, view

__all__ = ["ir"]

_HTML_COLUMNS = 112
"a notebook scrolls sideways, so a line may be longer there"

#   util.func public @mlp(%arg0: …) {          hal.executable private @ex {       (IREE 3.13)
#   memref.global "private" constant @c : memref<4xf32>
_SYMBOL = re.compile(r'^\s*[a-z_][\w.$]*(?: [\w"]+)* @("[^"\n]{1,200}"|[\w$.-]+)')
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})")


def ir(
    text: str,
    *,
    only: str | tuple[int, int] | None = None,
    lines: int = LINES,
    mark: str = "",
    title: str = "",
    numbers: bool = False,
) -> View:
    """IR as text and, in a notebook, with colours.

    Args:
        text: the IR, or any text.
        only: a part: `"@symbol"` (`*` allowed) is the op of that name with all that is in it,
            `(first, last)` a range of lines, counted from 1.
        lines: show at most so many; 40, with title and remark, is the most.
        mark: make lines that hold this text stand out.
        title: a line above it.
        numbers: number the lines as in the whole text.

    Raises:
        LayersError: no op has that symbol (the message has near ones), or no such lines.
    """
    # Not splitlines: for MLIR a form feed or U+2028 does not end a line.
    every = text.removesuffix("\n").split("\n")
    first, last = _part(every, only)
    above = LINES - bool(title)
    partial = last - first < len(every) or last - first > min(lines, above)
    room = max(min(lines, above - partial), 1)
    stop = min(last, first + room)
    remark = _remark(first, stop, last, len(every))
    gutter = len(str(stop)) if numbers else 0
    shown = [(k + 1, every[k].removesuffix("\r")) for k in range(first, stop)]
    body = "\n".join(_rows(shown, gutter, mark))
    body = f'<pre dir="ltr">{body}</pre>'
    if title:
        body = f'<p class="k">{plain(title)}</p>{body}'
    if remark:
        body += f'<p class="m">{plain(remark)}</p>'
    plain_lines = _lines(shown, gutter, mark)
    return view([*filter(None, [title]), *plain_lines, *filter(None, [remark])], body, "code")


def _lines(shown: Sequence[tuple[int, str]], gutter: int, mark: str) -> Iterator[str]:
    for number, line in shown:
        left = f"{pad(str(number), gutter, right=True)}  " if gutter else ""
        sign = ("▸ " if mark in line else "  ") if mark else ""
        yield left + sign + line


def _rows(shown: Sequence[tuple[int, str]], gutter: int, mark: str) -> Iterator[str]:
    for number, line in shown:
        left = f'<span class="n">{number:>{gutter}}  </span>' if gutter else ""
        html = coloured(cut(line, _HTML_COLUMNS))
        yield left + (f"<mark>{html}</mark>" if mark and mark in line else html)


def _remark(first: int, stop: int, last: int, total: int) -> str:
    """What is not shown: the rest of the part, and what is outside of the part."""
    part = f"lines {first + 1:,}–{last:,} of {total:,}" if last - first < total else ""
    more = f"… {count(last - stop, 'more line')}" if stop < last else ""
    return f"{more} ({part})" if more and part else more or part


def _part(every: Sequence[str], only: str | tuple[int, int] | None) -> tuple[int, int]:
    """Half-open range of line indices."""
    if only is None:
        return 0, len(every)
    if isinstance(only, str):
        return _op(every, only)
    first, last = only
    if not 1 <= first <= last or first > len(every):
        raise LayersError(
            f"there are no lines {first} to {last}", expected=f"1 to {len(every)}, counted from 1"
        )
    return first - 1, min(last, len(every))


def _op(every: Sequence[str], only: str) -> tuple[int, int]:
    """The op with a symbol. MLIR indents what is in an op, so its end is where that ends."""
    glob = only.removeprefix("@")
    # A call begins like a definition; with a region it cannot be one.
    found = [k for k, line in enumerate(every) if fnmatch.fnmatchcase(_symbol(line), glob)]
    if not found:
        raise LayersError(
            f"no op here has the symbol {only!r}",
            todo=_near(glob, sorted({s for s in map(_symbol, every) if s})),
        )
    start = next((k for k in found if _opens(every[k])), found[0])
    if not _opens(every[start]):
        return start, start + 1
    depth = _indent(every[start])
    end = next(
        (k for k in range(start + 1, len(every)) if every[k].strip() and _ends(every[k], depth)),
        len(every) - 1,
    )
    return start, end + 1


def _symbol(line: str) -> str:
    match = _SYMBOL.match(line[:1000])
    if not match:
        return ""
    # @"a \22b\22" is the symbol `a "b"`, as snapshots have it
    return _ESCAPE.sub(lambda code: chr(int(code[1], 16)), match[1].strip('"'))


def _opens(line: str) -> bool:
    return line.rstrip().endswith("{")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _ends(line: str, depth: int) -> bool:
    """A line as far left as the op, its `}`; labels (`^bb1:`) stand there too."""
    if _indent(line) > depth or line.lstrip().startswith("^"):
        return False
    # `} else {` closes one region and opens the next.
    return not (line.lstrip().startswith("}") and _opens(line))


def _near(glob: str, symbols: list[str]) -> str:
    near = difflib.get_close_matches(glob, symbols, n=3, cutoff=0.4) or symbols[:6]
    return f"symbols here are {', '.join('@' + each for each in near)}" if near else ""
