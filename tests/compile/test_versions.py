from __future__ import annotations

import dataclasses
import importlib.metadata
import subprocess
import sys

import pytest

from iree_layers.compile.versions import Versions, disagreements, pins, versions

GOOD = Versions("3.11.7", "3.13.0", "89ece87b", "3.13.0", "3.9.0", "2.13.0+cpu")
PINS = {
    "iree-base-compiler": "3.13.0",
    "iree-base-runtime": "3.13.0",
    "iree-turbine": "3.9.0",
    "torch": "2.13.0",
}


def test_versions_are_what_is_installed() -> None:
    found = versions()
    assert found.python == sys.version.split()[0]
    assert found.compiler == importlib.metadata.version("iree-base-compiler")
    assert found.runtime == importlib.metadata.version("iree-base-runtime")
    assert len(found.compiler_revision) == 40


def test_versions_import_nothing_heavy() -> None:
    code = (
        "import sys; from iree_layers.compile.versions import *; versions(); pins();"
        "print([m for m in ('torch', 'iree.runtime', 'iree.compiler') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_pins_are_those_of_the_project() -> None:
    assert pins() == PINS


def test_pins_of_a_copied_module(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> list[str]:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", absent)
    pins.cache_clear()
    try:
        assert pins() == {}
    finally:
        pins.cache_clear()


def test_installed_versions_fit() -> None:
    assert disagreements(versions()) == ()


def test_local_part_and_absent_packages_fit() -> None:
    assert disagreements(GOOD, PINS) == ()
    assert disagreements(dataclasses.replace(GOOD, torch=None, turbine=None), PINS) == ()


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (
            {"runtime": "3.9.0"},
            (
                "compiler 3.13.0 and runtime 3.9.0 do not match",
                "iree-base-runtime is 3.9.0, this package is made for 3.13.0",
            ),
        ),
        ({"torch": "2.12.1"}, ("torch is 2.12.1, this package is made for 2.13.0",)),
        ({"turbine": "3.8.0"}, ("iree-turbine is 3.8.0, this package is made for 3.9.0",)),
    ],
)
def test_disagreement(change: dict[str, str], lines: tuple[str, ...]) -> None:
    assert disagreements(dataclasses.replace(GOOD, **change), PINS) == lines


def test_patch_releases_match_each_other() -> None:
    assert disagreements(dataclasses.replace(GOOD, runtime="3.13.1"), {}) == ()
