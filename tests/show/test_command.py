"""A folded command is the same words to a shell."""

from __future__ import annotations

import shlex
import subprocess

import pytest

from iree_layers.show import command

LINE = "printf '%s|' 'a  b' \"c d\" e\\ f " + " ".join(f"--flag-{k}=value" for k in range(30))


def test_a_shell_reads_the_same_words() -> None:
    folded = command(LINE, columns=60).text
    assert folded.count("\n") > 5
    one, two = (
        subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=True).stdout
        for text in (LINE, folded)
    )
    assert one == two
    assert one.startswith("a  b|c d|e f|")


@pytest.mark.parametrize("columns", [20, 60, 100])
def test_no_line_is_longer_than_asked_unless_a_word_is(columns: int) -> None:
    longest = max(map(len, shlex.split(LINE)))
    lines = command(LINE, columns=columns).text.splitlines()
    assert all(len(line) <= max(columns, longest + 6) for line in lines)


def test_a_short_line_stays_as_it_is() -> None:
    assert command("iree-compile a.mlir 2> dump.txt").text == "iree-compile a.mlir 2> dump.txt"
