from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from iree_layers.errors import RunError
from iree_layers.execute import engine
from iree_layers.execute.array import Input
from iree_layers.execute.engine import Engine, Job, choose, is_public
from iree_layers.execute.module import Module, open_module
from iree_layers.execute.signature import Signature


def job(module: Module, device: str = "local-sync") -> Job:
    one = np.ones(4, np.float32)
    return Job(module.digest, module.origin, None, (Input(one),), (device,), ())


class Source:
    """Gives a module and counts how often it is asked."""

    def __init__(self, module: Module) -> None:
        self.module, self.asked = module, 0

    def __call__(self) -> Module:
        self.asked += 1
        return self.module


def test_a_module_is_loaded_once_for_each_device(add: Path) -> None:
    here, source = Engine(), Source(open_module(add))
    for _ in range(3):
        here.call(job(source.module), source)
    assert source.asked == 1
    here.call(job(source.module, "local-task"), source)
    assert source.asked == 2


def test_the_least_recently_used_module_goes_first(
    add: Path, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "LOADED", 2)
    here, source = Engine(), Source(open_module(add))
    a, b = job(source.module), job(source.module, "local-task")
    here.call(a, source)
    here.call(b, source)
    here.call(a, source)
    assert source.asked == 2
    other = open_module(many)
    with pytest.raises(RunError):  # loaded, then no function named
        here.call(Job(other.digest, other.origin, None, (), ("local-sync",), ()), lambda: other)
    here.call(a, source)
    assert source.asked == 2
    here.call(b, source)
    assert source.asked == 3


def test_a_module_that_does_not_load_is_not_kept(old: Path) -> None:
    here, source = Engine(), Source(open_module(old))
    for _ in range(2):
        with pytest.raises(RunError, match="older IREE"):
            here.call(job(source.module), source)
    assert source.asked == 2


def test_what_the_compiler_adds_is_not_public() -> None:
    assert [name for name in ("main", "__init", "main$async", "__deinit") if is_public(name)] == [
        "main"
    ]


def test_choosing_without_any_function() -> None:
    with pytest.raises(RunError, match="no function"):
        choose({}, None, "m.vmfb")
    with pytest.raises(RunError, match="a program with a public function"):
        choose({}, "f", "m.vmfb")


def test_long_lists_are_cut() -> None:
    many = {f"f{i}": Signature(f"f{i}", (), ()) for i in range(20)}
    with pytest.raises(RunError) as caught:
        choose(many, None, "m.vmfb")
    assert "… 8 more" in str(caught.value)
    assert len(str(caught.value).splitlines()) < 20
