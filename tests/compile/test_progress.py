from __future__ import annotations

from pathlib import Path

import pytest

from iree_layers.compile import progress
from iree_layers.compile.capture import Capture
from iree_layers.compile.progress import TooLong, Watch, last_pass, wants_progress


def test_the_bar_says_where_the_compiler_is(
    mlp_capture: Capture, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_AFTER", 0)
    monkeypatch.setattr(progress, "_EVERY", 0)
    with Watch(mlp_capture.dump, show=True, total=4_300_000) as watch:
        watch.tick(2_000_000)
        watch.tick(4_300_000)
    shown = capsys.readouterr().err
    assert "iree-compile" in shown
    assert "vm: " in shown


def test_a_short_run_and_a_quiet_one_show_nothing(
    mlp_capture: Capture, capsys: pytest.CaptureFixture[str]
) -> None:
    for show in (True, False):
        with Watch(mlp_capture.dump, show=show) as watch:
            watch.tick(1_000_000)
    assert capsys.readouterr() == ("", "")


def test_the_last_pass_of_a_part(tmp_path: Path) -> None:
    dump = tmp_path / "dump"
    first = b"\n// -----// IR Dump After CSEPass: cse //----- //\nmodule {\n}\n"
    second = b"\n// -----// IR Dump After InlinerPass: inline{x=1} //----- //\nmodule {\n"
    dump.write_bytes(first + second)
    assert last_pass(dump, len(first)) == "cse"
    assert last_pass(dump, len(first) + 30) == "cse", "a header that is not complete yet"
    assert last_pass(dump, len(first) + len(second)) == "inline"
    assert last_pass(dump, 0) == ""
    assert last_pass(tmp_path / "nothing", 10) == ""


def test_a_limit_ends_the_run(tmp_path: Path) -> None:
    with Watch(tmp_path / "dump", show=False, limit=100) as watch:
        watch.tick(100)
        with pytest.raises(TooLong, match="100 bytes"):
            watch.tick(101)


def test_a_bar_is_for_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wants_progress(True)
    assert not wants_progress(False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert not wants_progress(None), "this is a test"
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    assert wants_progress(None)
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    assert not wants_progress(None)
