from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Iterator

import pytest

from iree_layers.compile.doctor import Check, Report, doctor
from iree_layers.compile.smoke import Smoke, smoke
from iree_layers.compile.target import Target
from iree_layers.compile.versions import Versions

# not `from … import doctor`: the package gives that name to the function
module = importlib.import_module("iree_layers.compile.doctor")


@pytest.fixture(scope="module")
def report() -> Report:
    return doctor()


@pytest.fixture
def no_smoke(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "smokes", lambda: iter(()))


def test_this_machine_is_ready(report: Report) -> None:
    assert report.ok, str(report)


def test_names_are_there_once(report: Report) -> None:
    names = [check.name for check in report.checks]
    assert len(names) == len(set(names))
    assert {
        "Python",
        "compiler",
        "runtime",
        "versions fit",
        "torch",
        "iree-turbine",
        "C compiler",
        "CPU",
        "cores",
        "memory",
        "free disk",
        "local-task",
        "local-sync",
        "vulkan",
        "cuda",
        "hip",
        "spirv-dis",
        "dot",
        "mlir-opt",
        "node",
        "chromium",
    } <= set(names)


def test_each_line_is_ok_or_says_what_to_do(report: Report) -> None:
    for check in report.checks:
        assert check.found
        assert "\n" not in check.found + check.todo
        assert check.ok is True or check.todo, check


def test_text_is_aligned_and_short(report: Report) -> None:
    lines = str(report).splitlines()
    assert len(lines) <= 40
    assert lines[-1] == "All that is needed is here."
    column = lines[0].index(report["Python"].found)
    width = max(len(check.name) for check in report.checks)
    assert column == 4 + width + 2
    assert repr(report) == str(report)


def test_json_is_the_same(report: Report) -> None:
    plain = json.loads(json.dumps(report.as_json()))
    assert plain["ok"] is True
    assert [Check(**each) for each in plain["checks"]] == list(report.checks)


def test_optional_is_not_wrong() -> None:
    good, absent = Check("a", True, "x"), Check("b", None, "none", "get it")
    bad = Check("c", False, "broken", "mend it")
    assert Report((good, absent)).ok
    assert not Report((good, absent, bad)).ok
    assert str(Report((good, absent, bad))).splitlines() == [
        "ok  a  x",
        "--  b  none",
        "       → get it",
        "NO  c  broken",
        "       → mend it",
        "To mend: c.",
    ]


def test_versions_that_do_not_fit(monkeypatch: pytest.MonkeyPatch, no_smoke: None) -> None:
    odd = Versions("3.11.7", "3.13.0", "", "3.9.0", None, None)
    monkeypatch.setattr(module, "versions", lambda: odd)
    found = doctor()
    assert found["versions fit"].ok is False
    assert "compiler 3.13.0 and runtime 3.9.0 do not match" in found["versions fit"].found
    assert found["torch"].ok is None
    assert "torch==2.13.0" in found["torch"].todo
    assert not found.ok


def test_nothing_installed(monkeypatch: pytest.MonkeyPatch, no_smoke: None) -> None:
    monkeypatch.setattr(module, "versions", lambda: Versions("3.11.7", "", "", "", None, None))
    monkeypatch.setattr(module, "c_compiler", lambda: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    found = doctor()
    assert [found[name].ok for name in ("compiler", "runtime")] == [False, False]
    assert [found[name].ok for name in ("C compiler", "dot", "chromium")] == [None, None, None]


def test_little_memory_and_disk(monkeypatch: pytest.MonkeyPatch, no_smoke: None) -> None:
    monkeypatch.setattr(module, "_memory", lambda: 1 << 29)
    monkeypatch.setattr(module, "_NEEDED_DISK", 1 << 62)
    found = doctor()
    assert found["memory"].ok is False
    assert "TMPDIR" in found["free disk"].todo


@pytest.mark.parametrize(
    ("smoked", "ok"),
    [
        (Smoke("vulkan", False, "no Vulkan loader (libvulkan) is installed", None, ""), None),
        (Smoke("vulkan", False, "runs with target x, but WRONG: element", None, "Some GPU"), False),
        (Smoke("vulkan", True, "ran", Target.vulkan("ada"), "NVIDIA RTX 4090"), True),
        (Smoke("local-task", False, "cannot run host", None, "local-task"), False),
    ],
)
def test_devices(monkeypatch: pytest.MonkeyPatch, smoked: Smoke, ok: bool | None) -> None:
    monkeypatch.setattr(module, "smokes", lambda: iter((smoked,)))
    found = doctor()
    assert found[smoked.device].ok is ok
    assert bool(found[smoked.device].todo) is (ok is not True)
    if ok and smoked.target:
        assert "--iree-vulkan-target=ada" in found["vulkan target"].found
    else:
        with pytest.raises(KeyError):
            found["vulkan target"]


@pytest.fixture
def without_vulkan(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("VK_DRIVER_FILES", "/nonexistent")
    monkeypatch.setenv("VK_ICD_FILENAMES", "/nonexistent")
    smoke.cache_clear()
    yield
    smoke.cache_clear()


def test_no_vulkan_is_one_line_and_no_failure(without_vulkan: None) -> None:
    found = doctor()
    assert found.ok
    assert found["vulkan"].ok is None
    assert "mesa-vulkan-drivers" in found["vulkan"].todo
