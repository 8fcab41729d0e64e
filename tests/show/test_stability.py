"""The same bytes whatever the hash seed, because the notebooks' tests compare them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from iree_layers.dump.trace import Trace

SCRIPT = """
import sys
from iree_layers import show
from iree_layers.compare.census import census
from iree_layers.compare.diff import diff
from iree_layers.dump.dump import open_dump
from iree_layers.dump.layers import assign
dump = assign(open_dump(sys.argv[1]))
views = [
    show.strip(dump), show.borders(dump), show.passes(dump), show.passes(dump, "hal"),
    show.census(census(dump)), show.summary(dump), show.pipeline("flow", "hal", "vm"),
    show.diff(diff(dump.text(20), dump.text(200))), show.ir(dump.text(300)),
]
for view in views:
    sys.stdout.buffer.write((view.text + view.html).encode())
"""


def test_two_processes_make_the_same_bytes(mlp: Trace, tmp_path: Path) -> None:
    path = tmp_path / "dump.txt"
    path.write_bytes(b"".join(mlp.dump.parts()))
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, path.name],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) > 20_000
