"""Real compiles for the tests of `compare/`, each made once per session."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from iree_layers.dump.trace import Trace, trace

# The machine decides how long an example takes, so no deadline.
settings.register_profile("compare", deadline=None)
settings.load_profile("compare")

MLP = Path(__file__).parents[2] / "ir_samples" / "mlp.mlir"


@pytest.fixture(scope="session")
def mlp() -> Trace:
    """Every pass on the op it ran on."""
    return trace(MLP, files=False)


@pytest.fixture(scope="session")
def mlp_module() -> Trace:
    """Every pass with the whole module."""
    return trace(MLP, files=False, scope="module")


@pytest.fixture(scope="session")
def mlp_both() -> Trace:
    """The IR before and after every pass."""
    return trace(MLP, files=False, before=True)
