"""What makes a bare `pytest --nbval notebooks/` run and compare the notebooks rightly.

The kernel is this environment's own, whatever kernel a notebook names; it has the same variables as
when the outputs were stored; and the sanitiser is found from any working directory.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from iree_layers.learn.kernel import KERNEL_ENV


def pytest_configure(config: pytest.Config) -> None:
    if not getattr(config.option, "nbval", False):
        return
    if not config.option.nbval_kernel_name:
        config.option.nbval_current_env = True
    if not config.option.nbval_sanitize_with:
        config.option.nbval_sanitize_with = str(Path(__file__).with_name("nbval.cfg"))
    os.environ.update(KERNEL_ENV)
