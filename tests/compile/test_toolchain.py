from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.compile import toolchain
from iree_layers.compile.toolchain import (
    Command,
    c_compiler,
    exit_text,
    run_tool,
    signal_name,
    tool,
    versions,
)
from iree_layers.errors import CompileError, CompilerCrash, RunError, ToolMissing

from .conftest import CRASH

posix = pytest.mark.skipif(os.name != "posix", reason="needs sh and signals")

ODD = ("--a=b c", "it's", "$HOME", "*", "a\nb", 'q"q', "", "--x={y,z}", "\\")


def script(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))))
def test_a_command_line_means_its_arguments(args: list[str]) -> None:
    assert shlex.split(str(Command(("tool", *args)))) == ["tool", *args]


@posix
def test_a_shell_reads_a_command_as_it_was_meant(tmp_path: Path) -> None:
    show = "import os, sys; sys.stdout.write(chr(0).join([os.environ['V'], *sys.argv[1:]]))"
    line = str(Command(("python", "-c", show, *ODD), None, (("V", "a b"),), stderr="err here.txt"))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    out = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env={"PATH": path}, capture_output=True, check=True
    )
    assert out.stdout.decode().split("\0") == ["a b", *ODD]
    assert (tmp_path / "err here.txt").read_text() == ""


def test_a_command_shows_no_folder_of_this_machine() -> None:
    assert str(Command(("iree-compile", "a.mlir"), Path("/somewhere"))) == "iree-compile a.mlir"


def test_tools_of_the_wheels_are_binaries_not_their_python_scripts() -> None:
    for name, folder in (("iree-compile", "_mlir_libs"), ("iree-run-module", "_runtime_libs")):
        found = tool(name)
        assert found.parent.name == folder
        assert not found.read_bytes().startswith(b"#!")


def test_a_missing_tool_names_the_nearest_and_its_package() -> None:
    with pytest.raises(ToolMissing, match="iree-cmopile") as caught:
        tool("iree-cmopile")
    assert "'iree-compile'" in caught.value.todo
    with pytest.raises(ToolMissing) as caught:
        tool("something-else-entirely")
    assert "pip install iree-base-runtime" in caught.value.todo


@posix
def test_a_tool_is_also_found_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path, "iree-of-my-own", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert tool("iree-of-my-own") == tmp_path / "iree-of-my-own"


def test_a_run_keeps_both_streams_apart_and_the_command() -> None:
    ran = run_tool("iree-compile", "--version")
    assert "IREE compiler version" in ran.stdout
    assert (ran.exit, ran.stderr, str(ran.command)) == (0, "", "iree-compile --version")


def test_an_error_carries_the_words_of_the_tool(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text("func.func @f() -> tensor<4xf32> {\n")
    with pytest.raises(CompileError, match="exit code 1") as caught:
        run_tool("iree-compile", "a.mlir", "-o", "-", cwd=tmp_path)
    assert not isinstance(caught.value, CompilerCrash)
    assert "a.mlir:1:34: error:" in str(caught.value)
    assert caught.value.command == "iree-compile a.mlir -o -"
    assert run_tool("iree-compile", "a.mlir", cwd=tmp_path, check=False).exit == 1


def test_an_error_of_the_runtime_is_another_error() -> None:
    with pytest.raises(RunError, match="flag 'nope' not recognized"):
        run_tool("iree-run-module", "--nope")


@posix
def test_a_crash_is_an_exception_with_the_signal(tmp_path: Path) -> None:
    (tmp_path / "crash.mlir").write_bytes(CRASH)
    with pytest.raises(CompilerCrash, match="SIGSEGV") as caught:
        run_tool("iree-compile", "crash.mlir", "-o", "-", "--compile-to=flow", cwd=tmp_path)
    assert caught.value.exit == -11


@posix
def test_a_timeout_ends_the_children_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = tmp_path / "pid"
    script(tmp_path, "iree-slow", f"echo going >&2; sleep 60 & echo $! > {pid}; wait")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(RunError, match="did not end within 1 seconds") as caught:
        run_tool("iree-slow", timeout=1, check=False)
    assert "going" in str(caught.value)
    assert is_gone(int(pid.read_text()))


def is_gone(pid: int) -> bool:
    """Whether a killed process leaves the process table within ten seconds."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        state = Path(f"/proc/{pid}/stat")
        if state.exists() and ") Z " in state.read_text():
            return True
        time.sleep(0.1)
    return False


def test_exits_in_words() -> None:
    assert exit_text(3) == "ended with exit code 3"
    assert exit_text(-6) == "was killed by signal 6 (SIGABRT)"
    assert signal_name(0) == ""
    assert signal_name(-250) == "signal 250"


@posix
def test_the_c_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert c_compiler() is None
    script(tmp_path, "gcc", "exit 0")
    script(tmp_path, "mycc", "exit 0")
    assert c_compiler() == tmp_path / "gcc"
    monkeypatch.setenv("CC", "mycc -m64")
    assert c_compiler() == tmp_path / "mycc"


def test_versions_are_those_of_the_tools() -> None:
    found = versions()
    said = run_tool("iree-compile", "--version").stdout
    assert found.compiler_revision[:12] in said
    assert len(found.compiler_revision) == 40
    assert found.compiler in said
    assert found.python == sys.version.split()[0]
    assert f"iree-base-compiler {found.compiler} @ {found.compiler_revision[:8]}" in str(found)


def test_a_package_that_is_not_there_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> str:
        raise toolchain.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(toolchain.importlib.metadata, "version", nothing)
    found = versions.__wrapped__()
    assert (found.compiler, found.runtime, found.turbine, found.torch) == ("", "", None, None)
    assert "iree-turbine missing" in str(found)


def test_finding_tools_and_versions_imports_neither_compiler_nor_torch() -> None:
    code = (
        "import sys; from iree_layers.compile.toolchain import tool, versions;"
        "tool('iree-compile'); versions(); print(*sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"iree.compiler", "iree.runtime", "torch"} & set(out.stdout.split())
