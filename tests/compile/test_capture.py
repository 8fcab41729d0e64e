from __future__ import annotations

import filecmp
import gc
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from iree_layers.compile.capture import Capture, Scope, capture
from iree_layers.compile.phases import PHASES
from iree_layers.compile.program import Program
from iree_layers.compile.target import Target
from iree_layers.errors import CompileError, CompilerCrash, ProgramError

from .conftest import CRASH, FAIL, MLP

HEADER = re.compile(rb"^// -----// IR Dump (Before|After) .*?(?<!:): ([\w.-]+)", re.MULTILINE)
FAILING = Program("fail", FAIL, "mlir")
CRASHING = Program("crash", CRASH, "mlir")


def passes(found: Capture) -> list[str]:
    return [name.decode() for _, name in HEADER.findall(found.dump.read_bytes())]


def test_one_run_leaves_everything(mlp_capture: Capture) -> None:
    found = mlp_capture
    assert (found.exit, found.notes, len(found.commands)) == (0, (), 1)
    assert tuple(found.phases) == PHASES
    assert found.phases["flow"].name == "mlp.6.flow.mlir"
    assert found.vmfb is not None
    assert found.vmfb.name == "mlp.vmfb"
    assert {path.suffix for path in found.files} >= {".mlir", ".s", ".o", ".so", ".ll", ".bc"}
    assert len(passes(found)) > 700
    assert sorted(path.name for path in found.folder.iterdir()) == [
        "dump.txt", "files", "mlp.mlir", "mlp.vmfb", "phases",
    ]  # fmt: skip
    assert repr(found).startswith("Capture(mlp for text: 4.")


def test_the_dump_ends_each_phase_with_its_marker(mlp_capture: Capture) -> None:
    markers = re.findall(
        rb"iree-util-dump-module\{path=phases/(.*?)\}", mlp_capture.dump.read_bytes()
    )
    assert [name.decode() for name in markers] == [p.name for p in mlp_capture.phases.values()]


def test_nothing_in_a_capture_names_this_machine(mlp_capture: Capture) -> None:
    place = str(mlp_capture.folder).encode()
    home = str(Path.home()).encode()
    for path in (mlp_capture.dump, *mlp_capture.phases.values()):
        assert place not in path.read_bytes()
        assert home not in path.read_bytes()


@pytest.mark.parametrize("options", [{}, {"only_layer": "flow"}], ids=["whole", "one layer"])
def test_the_printed_command_gives_the_same_bytes(
    mlp: Program, tmp_path: Path, options: dict[str, str]
) -> None:
    found = capture(mlp, **options)  # type: ignore[arg-type]
    (tmp_path / "mlp.mlir").write_bytes(MLP)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in found.commands:
        line = str(command)
        assert "\n" not in line
        subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, env={**os.environ, "PATH": path}, check=True
        )
    assert filecmp.cmp(tmp_path / "dump.txt", found.dump, shallow=False)
    names = [path.relative_to(found.folder) for path in found.phases.values()]
    assert all(filecmp.cmp(tmp_path / name, found.folder / name, shallow=False) for name in names)
    if found.vmfb:
        assert filecmp.cmp(tmp_path / "mlp.vmfb", found.vmfb, shallow=False)


@pytest.mark.usefixtures("fast", "plain")
@pytest.mark.parametrize("scope", ["op", "module"])
def test_fast_and_plain_give_the_same_bytes(
    mlp: Program, scope: Scope, request: pytest.FixtureRequest
) -> None:
    name = "mlp_capture" if scope == "op" else "mlp_module_capture"
    slow = capture(mlp, scope=scope)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("IREE_LAYERS_PLAIN")
        fast = request.getfixturevalue(name)
        fast = fast if fast.how == "shim" else capture(mlp, scope=scope)
    assert (fast.how, slow.how) == ("shim", "pipe")
    assert filecmp.cmp(fast.dump, slow.dump, shallow=False)
    assert fast.vmfb is not None
    assert slow.vmfb is not None
    assert filecmp.cmp(fast.vmfb, slow.vmfb, shallow=False)


def crash_dump() -> tuple[str, bytes, bytes]:
    with pytest.raises(CompilerCrash) as caught:
        capture(CRASHING)
    partial = caught.value.partial
    assert isinstance(partial, Capture)
    ir, mark, last_words = partial.dump.read_bytes().partition(b"Please report issues to ")
    return partial.how, ir, mark + last_words


@pytest.mark.usefixtures("fast")
def test_a_crash_half_way_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    fast, fast_ir, fast_words = crash_dump()
    monkeypatch.setenv("IREE_LAYERS_PLAIN", "1")
    slow, slow_ir, slow_words = crash_dump()
    assert (fast, slow) == ("shim", "pipe")
    assert fast_ir == slow_ir
    assert len(HEADER.findall(fast_ir)) > 100
    for words in (fast_words, slow_words):
        assert b"Stack dump:" in words
        assert b"decideFusableLinalgOps" in words


def test_a_crash_carries_the_evidence() -> None:
    with pytest.raises(CompilerCrash, match=r"killed by signal 11 \(SIGSEGV\)") as caught:
        capture(CRASHING)
    error = caught.value
    assert error.exit == -11
    assert "decideFusableLinalgOps" in error.found
    assert error.last_pass == "iree-dispatch-creation-form-scalar-dispatches"
    assert "Stack dump:" in error.stderr
    assert "util.func" not in error.stderr
    assert error.command.startswith("iree-compile crash.mlir ")
    partial = error.partial
    assert isinstance(partial, Capture)
    assert passes(partial)[-1] == error.last_pass
    assert list(partial.phases) == ["input", "abi", "preprocessing", "global-optimization"]
    assert partial.vmfb is None


def test_the_message_of_a_crash_is_the_same_every_time() -> None:
    said = []
    for _ in range(2):
        with pytest.raises(CompilerCrash) as caught:
            capture(CRASHING)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_an_error_names_the_pass_and_the_place() -> None:
    with pytest.raises(CompileError) as caught:
        capture(FAILING)
    error = caught.value
    assert not isinstance(error, CompilerCrash)
    assert error.exit == 1
    assert "fail.mlir:2:8: error: failed to legalize operation 'tosa.custom'" in str(error)
    assert "the pass tosa-to-linalg failed" in error.todo
    assert isinstance(error.partial, Capture)
    assert "tosa-to-linalg" in passes(error.partial)


def test_a_program_that_does_not_parse_has_no_ir() -> None:
    with pytest.raises(CompileError, match=r"bad\.mlir:1:1: error: ") as caught:
        capture(Program("bad", b"nonsense\n", "mlir"))
    assert caught.value.last_pass == ""
    assert caught.value.stderr.count("error:") == 1


def test_one_layer_is_printed_alone(mlp: Program, mlp_capture: Capture) -> None:
    found = capture(mlp, only_layer="flow")
    assert [str(c).split()[1] for c in found.commands] == [
        "mlp.mlir",
        "mlp.5.dispatch-creation.mlirbc",
    ]
    assert (list(found.phases), found.vmfb, found.notes) == (["flow"], None, ())
    whole = passes(mlp_capture)
    marks = [i for i, name in enumerate(whole) if name == "iree-util-dump-module"]
    flow = whole[marks[4] + 1 : marks[5] + 1]
    assert passes(found)[-len(flow) :] == flow
    assert len(passes(found)) - len(flow) < 10, "only the devices are assigned again"


def test_the_first_and_the_last_layer_alone(mlp: Program) -> None:
    first = capture(mlp, only_layer="input")
    assert (list(first.phases), len(first.commands)) == (["input"], 1)
    last = capture(mlp, only_layer="vm")
    assert list(last.phases) == ["vm"]


def test_options_print_more_or_less(mlp: Program, mlp_capture: Capture) -> None:
    whole = passes(mlp_capture)
    changed = passes(capture(mlp, changed=True))
    assert 0 < len(changed) < len(whole) / 2
    both = HEADER.findall(capture(mlp, before=True).dump.read_bytes())
    assert sum(when == b"Before" for when, _ in both) == len(both) / 2 == len(whole)
    located = capture(mlp, locations=True)
    assert b' loc("mlp.mlir":' in located.dump.read_bytes()
    bare = capture(mlp, files=False)
    assert bare.files == ()
    assert bare.notes == ()


def test_module_scope_prints_the_op_in_the_header(mlp_module_capture: Capture) -> None:
    dump = mlp_module_capture.dump.read_bytes()
    assert b" ('util.func' operation: @mlp" in dump
    assert len(dump) > 7_000_000


def test_constants_are_cut_only_on_paper() -> None:
    numbers = ", ".join(f"{i}.5" for i in range(32))
    source = f"""func.func @big() -> tensor<32xf32> {{
      %c = arith.constant dense<[{numbers}]> : tensor<32xf32>
      return %c : tensor<32xf32>
    }}"""
    big = Program("big", source.encode(), "mlir")
    cut, whole = capture(big), capture(big, elide=False)
    assert b"3.150000e+01" not in cut.phases["input"].read_bytes()
    assert b"3.150000e+01" in whole.phases["input"].read_bytes()
    assert cut.vmfb is not None
    assert whole.vmfb is not None
    assert filecmp.cmp(cut.vmfb, whole.vmfb, shallow=False)


def test_a_filter_of_the_user_is_the_only_one(mlp: Program) -> None:
    found = capture(mlp, flags=["--mlir-print-ir-after=cse,symbol-dce"])
    assert set(passes(found)) == {"cse", "symbol-dce"}


def test_a_pass_that_is_not_there_names_the_nearest(mlp: Program) -> None:
    with pytest.raises(CompileError, match="Cannot find option named 'canonicalise'") as caught:
        capture(mlp, flags=["--mlir-print-ir-after=canonicalise"])
    assert "did you mean canonicalize" in caught.value.todo


def test_after_change_alone_is_made_to_print(mlp: Program) -> None:
    found = capture(mlp, flags=["--mlir-print-ir-after-change"])
    assert len(passes(found)) > 100


@pytest.mark.parametrize("flag", ["--mlir-print-ir-after-failure", "--mlir-print-ir-tree-dir=tree"])
def test_printing_that_prints_nothing_is_reported(mlp: Program, flag: str) -> None:
    found = capture(mlp, flags=[flag])
    assert passes(found) == []
    assert "no snapshot was printed" in found.notes[0]
    assert flag in found.notes[0]
    assert found.notes[0] in repr(found)


@pytest.mark.parametrize(
    "flag", ["-o", "--compile-to=flow", "--dump-compilation-phases-to=x", "-compile-from=flow"]
)
def test_flags_that_are_ours_are_refused(mlp: Program, flag: str) -> None:
    with pytest.raises(ProgramError, match="set by capture itself"):
        capture(mlp, flags=[flag])


def test_a_layer_that_is_not_there_names_the_nearest(mlp: Program) -> None:
    with pytest.raises(ProgramError, match="'stram'") as caught:
        capture(mlp, only_layer="stram")
    assert "'stream'" in caught.value.todo


def test_the_folder_lives_as_long_as_the_capture(mlp: Program) -> None:
    found = capture(mlp, only_layer="input")
    folder = found.folder
    copy = replace(found, seconds=0.0)
    del found
    gc.collect()
    assert copy.dump.is_file()
    only_a_path = copy.phases["input"]
    del copy
    gc.collect()
    assert only_a_path.is_file()
    del only_a_path
    gc.collect()
    assert not folder.exists()


def test_a_named_folder_is_kept_and_never_mixed(mlp: Program, tmp_path: Path) -> None:
    found = capture(mlp, only_layer="input", folder=tmp_path / "new" / "run")
    dump = found.dump
    del found
    gc.collect()
    assert dump.is_file()
    with pytest.raises(ProgramError, match="not empty"):
        capture(mlp, folder=tmp_path / "new" / "run")


def test_a_timeout_keeps_what_was_printed(mlp: Program) -> None:
    with pytest.raises(CompileError, match=r"did not end within 0\.15 seconds") as caught:
        capture(mlp, timeout=0.15)
    assert not isinstance(caught.value, CompilerCrash)
    assert isinstance(caught.value.partial, Capture)
    assert caught.value.partial.dump.is_file()


def test_a_limit_keeps_what_was_printed(mlp: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iree_layers.compile.sink._TICK", 0.001)
    with pytest.raises(CompileError, match="passed the limit of 100,000 bytes") as caught:
        capture(mlp, limit_bytes=100_000)
    partial = caught.value.partial
    assert isinstance(partial, Capture)
    assert passes(partial)[-1] == caught.value.last_pass
    assert partial.dump.stat().st_size > 100_000


def test_a_disk_that_is_full_is_an_error_with_the_part(
    mlp: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **options: object) -> None:
        Path(args[1]).write_bytes(b"// -----// IR Dump After CSEPass: cse //----- //\n")  # type: ignore[arg-type]
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys.modules[capture.__module__], "drain", full)
    with pytest.raises(CompileError, match="No space left on device") as caught:
        capture(mlp)
    assert caught.value.last_pass == "cse"


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_keeps_the_part_and_leaves_no_compiler(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    script = tmp_path / "press.py"
    # The compiler waits for ever on a pipe that nobody fills, and has said its first words.
    script.write_text(f"""
import sys
from pathlib import Path
from iree_layers.compile.capture import capture
from iree_layers.compile.program import Program
slow = Path({str(tmp_path / "slow")!r})
slow.write_text("#!/bin/sh\\necho $$ > {tmp_path}/pid\\necho printed >&2\\nsleep 100\\n")
slow.chmod(0o755)
sys.modules[capture.__module__].tool = lambda name: slow
try:
    capture(Program("mlp", b"", "mlir"), folder=Path({str(folder)!r}))
except KeyboardInterrupt as stop:
    print(stop.partial.dump.read_text().strip(), stop.__notes__)
""")
    child = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    pid = tmp_path / "pid"
    for _ in range(300):
        if pid.exists() and pid.read_text():
            break
        time.sleep(0.05)
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    out = child.communicate(timeout=60)[0]
    assert out.startswith("printed ")
    assert "error.partial" in out
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_vulkan_is_captured_without_a_gpu(mlp: Program) -> None:
    found = capture(mlp, Target.vulkan())
    assert tuple(found.phases) == PHASES
    assert any(path.suffix == ".spv" for path in found.files)
