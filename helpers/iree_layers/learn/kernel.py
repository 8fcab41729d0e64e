"""Run a notebook in a new kernel: the one that `pytest --nbval` starts, in the same environment."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ..errors import ExerciseError
from .ipynb import clean, need, without_colours
from .script import Notebook

__all__ = ["KERNEL_ENV", "run"]

KERNEL_ENV: Mapping[str, str] = {
    "COLUMNS": "100",  # width of anything that asks the terminal
    "NO_COLOR": "1",  # no ANSI codes in stored text
    "TQDM_DISABLE": "1",  # a progress bar is never the same twice
    "IREE_LAYERS_PROGRESS": "off",  # a stored run is nobody's progress
}
"""Environment of the kernel, for `refresh` and for `pytest --nbval` alike."""


def run(notebook: Notebook, folder: Path, *, timeout: float = 600) -> Notebook:
    """The notebook with fresh outputs: all cells run in order in a new kernel.

    Args:
        notebook: what to run; it is not changed.
        folder: working directory of the kernel, where the notebook lives.
        timeout: longest time for one cell, in seconds.

    Raises:
        ExerciseError: a cell raised, ran too long, or killed the kernel: its number, text, error.
    """
    nbclient, nbformat = need("nbclient"), need("nbformat")
    nbclient_errors, nbval_kernel = need("nbclient.exceptions"), need("nbval.kernel")
    client_errors = (
        nbclient_errors.CellExecutionError,
        nbclient_errors.CellTimeoutError,
        nbclient_errors.DeadKernelError,
    )
    nb = nbformat.from_dict(clean(notebook))
    manager = need("jupyter_client").AsyncKernelManager(
        kernel_name=nbval_kernel.CURRENT_ENV_KERNEL_NAME,
        kernel_spec_manager=nbval_kernel.NbvalKernelspecManager(),
    )
    started: list[int] = []
    client = nbclient.NotebookClient(
        nb,
        km=manager,
        timeout=timeout,
        record_timing=False,
        on_cell_execute=lambda cell, cell_index: started.append(cell_index),
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        # The kernel's own log goes nowhere; what cells write to stderr arrives as outputs.
        client.execute(cleanup_kc=True, env={**os.environ, **KERNEL_ENV}, stderr=subprocess.DEVNULL)
    except client_errors as error:
        raise _cell_failed(nb, started[-1], error) from None
    return clean(nb)


def _cell_failed(notebook: Notebook, index: int, error: Exception) -> ExerciseError:
    """The error with the number and the text of the cell, without ANSI codes."""
    cells = notebook["cells"]
    number = sum(cell["cell_type"] == "code" for cell in cells[: index + 1])
    traceback = getattr(error, "traceback", None) or f"{error}".splitlines()[0]
    text = without_colours(traceback).strip()
    return ExerciseError(
        f"code cell {number} failed, nothing was stored\n{cells[index]['source']}\n\n{text}",
        todo="repair the cell; its kernel ran in the notebook's folder",
    )
