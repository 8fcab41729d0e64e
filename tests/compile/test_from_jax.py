"""JAX: a function in every form that JAX has for it, run against JAX itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from iree_layers.compile.build import build
from iree_layers.compile.program import program
from iree_layers.errors import ProgramError, ToolMissing
from iree_layers.execute import agree, run

jax = pytest.importorskip("jax", reason="JAX is not installed")
X = np.arange(16, dtype=np.float32).reshape(2, 8) - 7


def layer(x: Any) -> Any:
    import jax.numpy as jnp

    return jnp.maximum(x @ jnp.ones((8, 4), jnp.float32), 0)


FORMS: dict[str, Callable[[], Any]] = {
    "function": lambda: program(layer, X),
    "jitted": lambda: program(jax.jit(layer), X),
    "lowered": lambda: program(jax.jit(layer).lower(X)),
    "portable": lambda: program(layer, X, road="jax:portable"),
    "exported": lambda: program(jax.export.export(jax.jit(layer))(X)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_computes_what_jax_does(form: str) -> None:
    import jax.export  # noqa: F401 - an attribute of jax only once it is imported

    made = FORMS[form]()
    assert made.road == ("jax:portable" if form in ("portable", "exported") else "jax")
    assert agree(run(build(made).vmfb, "main", X), np.asarray(layer(X))).ok


def test_the_name_is_the_functions() -> None:
    made = program(layer, X)
    assert made.name == "layer"
    assert "stablehlo.dot_general" in made.text
    assert made.commands == ("python: jax.jit(layer).lower(*inputs).as_text(debug_info=True)",)


def test_inputs_that_do_not_fit_are_said_in_jax_words() -> None:
    with pytest.raises(ProgramError, match="JAX cannot trace layer: TypeError"):
        program(layer, np.zeros((2, 7), np.float32))


def test_without_it_the_pip_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ToolMissing) as caught:
        program(layer, X, road="jax")
    assert "iree-layers[jax]" in caught.value.todo
