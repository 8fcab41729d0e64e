"""A real trace, and a real browser, for the tests of `show/`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from iree_layers.compile.program import program
from iree_layers.dump.trace import Trace, trace

MLP = """\
func.func @mlp(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) \
outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %bb = linalg.broadcast ins(%b : tensor<16xf32>) outs(%empty : tensor<4x16xf32>) dimensions = [0]
  %sum = arith.addf %mm, %bb : tensor<4x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<4x16xf32>
  %relu = arith.maximumf %sum, %zeros : tensor<4x16xf32>
  return %relu : tensor<4x16xf32>
}
"""

# Everything that a hostile file may try: markup, an escape sequence, NUL, direction overrides,
# an invisible blank, a line separator, half of a surrogate pair.
HOSTILE = (
    '%0 = "</script><script>alert(1)</script><img src=x onerror=alert(2)>" // \x1b[31mred\x1b[0m '
    "\x00 \u202eesrever\u202c \u2066\u200b\u2028 \ud800 &lt; ]]> </pre></style></svg>"
)


@pytest.fixture(scope="session")
def hostile() -> str:
    """One line with all of that in it."""
    return HOSTILE


CHECK = Path(__file__).with_name("check.js").read_text(encoding="utf-8")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--enable-logging=stderr",
)


@dataclass(frozen=True)
class Seen:
    """What a browser made of a page."""

    texts: list[dict[str, Any]]
    "every text: what, its colour, the colour behind it, their contrast, its height in pixels"
    wide: int
    "width that the page needs, in pixels"
    errors: list[str]
    "errors of the page and what it wrote to the console"
    scripts: int
    "script elements, without ours"
    dark: bool
    "whether the page is shown dark"

    @property
    def worst(self) -> dict[str, Any]:
        """The text that is hardest to read."""
        return min(self.texts, key=lambda text: text["contrast"])


@pytest.fixture(scope="session")
def mlp() -> Iterator[Trace]:
    """A small program with everything that it went through."""
    traced = trace(program(MLP, name="mlp"), files=False)
    yield traced
    traced.dump.close()


@pytest.fixture(scope="session")
def browse(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Seen]:
    """Shows a page in Chromium and gives what is seen there."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        pytest.skip("chromium is not installed")

    def browse(html: str, *, wide: int, system_dark: bool = False) -> Seen:
        folder = tmp_path_factory.mktemp("browser")
        path = folder / "page.html"
        path.write_text(html.replace("</body>", f"<script>{CHECK}</script></body>"), "utf-8")
        scheme = [f"--blink-settings=preferredColorScheme={0 if system_dark else 1}"]
        ran = subprocess.run(
            [
                *(chromium, *FLAGS, *scheme, f"--window-size={wide},900"),
                *(f"--user-data-dir={folder / 'profile'}", "--dump-dom", path.as_uri()),
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        report = re.search(r'<pre id="report">(.*?)</pre>', ran.stdout, re.DOTALL)
        assert report, ran.stderr[-2000:]
        seen = json.loads(unescape(report[1]))
        console = [line for line in ran.stderr.splitlines() if ":CONSOLE" in line]
        return Seen(**{**seen, "errors": seen["errors"] + console})

    return browse
