"""What the runtime recorded of a real run is what the program says."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from iree_layers.compile import Built, Target, build, program, statistics
from iree_layers.compile.toolchain import Command, Ran, tool
from iree_layers.errors import RunError
from iree_layers.execute import Record, contents, record
from iree_layers.execute.measured import high_water, timed
from iree_layers.execute.profile import Profile, profile_modes, read_profile
from iree_layers.execute.record import _whole
from iree_layers.execute.replay import _names, read_replay
from iree_layers.execute.submissions import Submitted
from iree_layers.execute.walk import submitted

T = "tensor<64x64xf32>"
PRODUCT = f"linalg.matmul ins({{}} : {T}, {T}) outs(%init : {T}) -> {T}"
START = f"""\
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {T}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {T}) -> {T}
"""
DIAMOND = f"""\
func.func @diamond(%a: {T}, %b: {T}, %c: {T}) -> {T} {{
{START}
  %left = {PRODUCT.format("%a, %b")}
  %right = {PRODUCT.format("%a, %c")}
  %join = {PRODUCT.format("%left, %right")}
  return %join : {T}
}}
"""
# A constant that the module keeps, a loop that runs its command buffer again, a fill and copies.
LOOP = f"""\
util.global private mutable @state = dense<1.0> : tensor<16xf32>
func.func @loop(%x: {T}, %n: i32) -> {T} {{
{START}
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %i0, %y = %x) : (i32, {T}) -> (i32, {T}) {{
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %y : i32, {T}
  }} do {{
  ^bb0(%i: i32, %y: {T}):
    %z = {PRODUCT.format("%y, %y")}
    %j = arith.addi %i, %i1 : i32
    scf.yield %j, %z : i32, {T}
  }}
  return %r#1 : {T}
}}
func.func @move(%x: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<7xf32>) {{
  %state = util.global.load @state : tensor<16xf32>
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%three : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = tensor.insert_slice %x into %f[2, 0][4, 8][1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %u = tensor.extract_slice %state[3][7][1] : tensor<16xf32> to tensor<7xf32>
  return %y, %u : tensor<8x8xf32>, tensor<7xf32>
}}
"""
TWO = f"""\
func.func @two(
    %a: {T} {{iree.abi.affinity = #hal.device.promise<@dev_a>}},
    %b: {T} {{iree.abi.affinity = #hal.device.promise<@dev_a>}}) -> {T} {{
{START}
  %left = {PRODUCT.format("%a, %b")}
  %there = flow.tensor.transfer %left : {T} to #hal.device.promise<@dev_b>
  %right = {PRODUCT.format("%there, %there")}
  %back = flow.tensor.transfer %right : {T} to #hal.device.promise<@dev_a>
  return %back : {T}
}}
"""
NAME = "diamond_dispatch_0_matmul_64x64x64_f32"
LOCAL = ("local-task", "local-sync")


@pytest.fixture(scope="session")
def square() -> np.ndarray:
    return np.ones((64, 64), np.float32)


@pytest.fixture(scope="session")
def diamond() -> Built:
    return build(program(DIAMOND, name="diamond"))


@pytest.fixture(scope="session")
def loop() -> Built:
    return build(program(LOOP, name="loop"))


@pytest.fixture(scope="session")
def records(diamond: Built, square: np.ndarray) -> dict[str, Record]:
    return {
        device: record(diamond, "diamond", square, square, square, device=device)
        for device in LOCAL
    }


@pytest.mark.parametrize("device", LOCAL)
def test_two_products_in_one_group_and_the_third_behind_a_barrier(
    records: dict[str, Record], diamond: Built, device: str
) -> None:
    found = records[device]
    assert [one.group for one in found.dispatches] == [0, 0, 1]
    assert [len(group) for group in found.groups] == [2, 1]
    assert found.barriers == 2
    assert [one.order for one in found.dispatches] == [0, 1, 2]
    assert {one.name for one in found.dispatches} == {NAME}
    (member,) = {one.executable for one in found.dispatches}
    assert member in [one.name for one in contents(diamond).members]
    assert member.startswith("diamond_dispatch_0")
    assert {one.device for one in found.dispatches} == {device}
    assert all(one.workgroup_count == (8, 1, 1) for one in found.dispatches)
    assert all(one.nanoseconds and one.nanoseconds > 0 for one in found.dispatches)
    assert found.notes == ()


@pytest.mark.parametrize("device", LOCAL)
def test_bindings_are_parts_of_inputs_and_of_memory_that_the_call_asked_for(
    records: dict[str, Record], device: str
) -> None:
    left, right, join = records[device].dispatches
    assert list(map(str, left.bindings or ())) == [
        "given 0[0+16384]",
        "given 1[0+16384]",
        "allocation 1[0+32768]",
    ]
    assert list(map(str, right.bindings or ()))[:2] == ["given 0[0+16384]", "given 2[0+16384]"]
    assert [one.buffer for one in join.bindings or ()] == ["allocation 1"] * 2 + ["allocation 0"]
    # One executable for three products: where in its bindings it works comes as operands.
    assert [one.operands for one in (left, right, join)] == [(0, 0), (0, 16384), (16384, 0)]
    assert left.bytes == 2 * 16384 + 32768


@pytest.mark.parametrize("device", LOCAL)
def test_the_compiler_had_said_so(records: dict[str, Record], device: str) -> None:
    said, found = statistics(program(DIAMOND, name="diamond")), records[device]
    assert found.high_water_bytes == said.transient_bytes == 49152
    assert len(found.dispatches) == said.dispatches
    assert len(found.copies) == said.copies
    assert len(found.fills) == said.fills
    assert [one.op for one in found.submissions].count("execute") == said.submissions


def test_memory_is_freed_by_a_submission_where_the_device_says_so(
    records: dict[str, Record],
) -> None:
    task, sync = (records[device] for device in LOCAL)
    assert [one.op for one in task.submissions] == ["alloca", "alloca", "execute", "dealloca"]
    assert [one.op for one in sync.submissions] == ["alloca", "alloca", "execute", "barrier"]
    assert [one.after for one in task.submissions] == [(), (), (0, 1), (2,)]
    assert [(one.bytes, one.submission, one.freed) for one in task.allocations] == [
        (16384, 0, None),
        (32768, 1, 3),
    ]
    assert [one.freed for one in sync.allocations] == [None, None]


def test_the_calls_are_those_of_the_function_alone(records: dict[str, Record]) -> None:
    found = records["local-task"]
    assert found.counts["device.queue_alloca"] == 2
    assert found.counts["device.queue_execute"] == 1
    assert "allocator.allocate_buffer" not in found.calls  # inputs and results
    phases = [call.phase for call in found.log.calls]
    assert list(dict.fromkeys(phases)) == ["load", "before", "call", "after"]
    assert sum(found.counts.values()) == len(found.calls) == phases.count("call")
    assert str(found) == (
        "diamond on local-task: 3 dispatches, 2 groups, 2 barriers, 0 transfers, 4 submissions"
    )


def test_what_is_read_beside_the_tool_is_what_the_tool_reads(records: dict[str, Record]) -> None:
    """The dumper prints some of the places in the file in full: ours must agree."""
    found = records["local-task"]
    printed = [call for call in found.log.calls if call.name == "device.queue_execute"]
    assert any(call.payload["bindings"] for call in printed)
    for call in printed:
        assert [one.buffer for one in call.refs or ()] == [
            one["buffer_id"] for one in call.payload["bindings"]
        ]
        for ours, theirs in (("waits", "wait_semaphores"), ("signals", "signal_semaphores")):
            assert list(getattr(call, ours)) == [
                (one["semaphore_id"], one["value"]) for one in call.payload[theirs]
            ]
    (executable,) = found.log.executables.values()
    profile = read_profile(found.folder / "run.ireeprof")
    assert {one.name for one in profile.timings} == set(executable.functions or ())


def test_the_commands_work_when_they_are_pasted(records: dict[str, Record]) -> None:
    found = records["local-task"]
    path = os.pathsep.join([str(tool("iree-profile").parent), os.environ["PATH"]])
    assert [command.argv[0] for command in found.commands] == [
        "iree-run-module",
        "iree-dump-replay",
        *["iree-profile"] * 3,
    ]
    for command in found.commands[1:]:
        ran = subprocess.run(
            ["sh", "-c", str(command)],
            cwd=found.folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.startswith("{")


def test_without_concurrency_there_are_three_groups(square: np.ndarray) -> None:
    flags = ("--iree-stream-partitioning-favor=debug",)
    built = build(program(DIAMOND, name="diamond"), flags=flags)
    found = record(built, None, square, square, square)
    assert [one.group for one in found.dispatches] == [0, 1, 2]
    assert len(found.groups) == found.barriers == 3


@pytest.mark.parametrize("device", LOCAL)
def test_a_loop_executes_its_command_buffer_again(
    loop: Built, square: np.ndarray, device: str
) -> None:
    found = record(loop, "loop", square, 3, device=device)
    assert len(found.dispatches) == 3
    assert len({one.submission for one in found.dispatches}) == 3
    assert len(found.groups) == 3
    assert all(one.nanoseconds for one in found.dispatches)
    recorded = [c for c in found.log.calls if c.name == "command_buffer.dispatch"]
    assert len(recorded) < 3
    assert record(loop, "loop", square, 0, device=device).dispatches == ()


@pytest.mark.parametrize("device", LOCAL)
def test_fills_and_copies_with_their_bytes(loop: Built, device: str) -> None:
    found = record(loop, "move", np.ones((4, 8), np.float32), device=device)
    assert found.dispatches == ()
    (fill,) = found.fills
    assert (str(fill.target), fill.source) == ("allocation 0[0+256]", None)
    assert [(str(one.source), str(one.target)) for one in found.copies] == [
        ("given 0[0+128]", "allocation 0[64+128]"),
        ("loaded 0[0+28]", "allocation 0[256+28]"),
    ]
    assert [one.order for one in found.transfers] == [0, 1, 2]
    assert found.high_water_bytes == 256 + 64  # 28 bytes, and up to the next 64


def test_freed_memory_of_local_sync_is_not_guessed(loop: Built, square: np.ndarray) -> None:
    # Its log has barriers where others free: from the second round on nobody knows what is held.
    found = record(loop, "loop", square, 3, device="local-sync")
    assert "barrier" in [one.op for one in found.submissions]
    assert found.high_water_bytes is None
    task = record(loop, "loop", square, 3)
    assert task.high_water_bytes is not None
    assert task.high_water_bytes < sum(one.bytes for one in task.allocations)


def test_several_devices_are_all_logged_and_the_first_is_measured(square: np.ndarray) -> None:
    built = build(program(TWO, name="two"), Target.HOST.with_devices("dev_a", "dev_b"))
    found = record(built, "two", square, square, device=LOCAL)
    assert [one.device for one in found.dispatches] == list(LOCAL)
    assert [(one.name or "")[:14] for one in found.dispatches] == [
        "two_dispatch_0",
        "two_dispatch_1",
    ]
    first, second = found.dispatches
    assert first.nanoseconds
    assert second.nanoseconds is None
    # It waits for the memory of its result, which waits for the product on the other device.
    (asked,) = found.submissions[second.submission].after or ()
    assert found.submissions[asked].op == "alloca"
    waited, queue = set(), [second.submission]
    while queue:
        number = queue.pop()
        waited.add(number)
        queue += found.submissions[number].after or ()
    assert first.submission in waited
    same = record(built, "two", square, square, device=("local-sync", "local-sync"))
    assert same.devices == ("local-sync #0", "local-sync #1")
    with pytest.raises(RunError, match="for several devices") as raised:
        record(built, "two", square, square)
    assert raised.value.command.startswith("iree-run-module --device=local-task")


def test_the_same_on_vulkan(vulkan: Target, square: np.ndarray) -> None:
    built = build(program(DIAMOND, name="diamond"), vulkan)
    found = record(built, "diamond", square, square, square, device="vulkan")
    assert [one.group for one in found.dispatches] == [0, 0, 1]
    assert {one.name for one in found.dispatches} == {NAME}
    assert all(one.nanoseconds for one in found.dispatches)
    assert found.high_water_bytes == 49152
    assert [one.op for one in found.submissions] == ["alloca", "alloca", "execute", "dealloca"]
    (member,) = {one.executable for one in found.dispatches}
    assert member in [one.name for one in contents(built).members]
    assert all("after the end of its work" in note for note in found.notes)


def test_a_call_that_does_not_fit_is_refused_in_words(diamond: Built, square: np.ndarray) -> None:
    with pytest.raises(RunError, match="argument 2 of diamond is 3x64xf32") as raised:
        record(diamond, "diamond", square, square, square[:3])
    assert raised.value.expected == "64x64xf32"
    with pytest.raises(RunError, match="cannot be opened: no driver 'nope'") as raised:
        record(diamond, "diamond", square, square, square, device="nope")
    assert "local-task" in raised.value.expected
    with pytest.raises(RunError, match="did not end within"):
        record(diamond, "diamond", square, square, square, timeout=0.001)


def test_a_program_to_be_read_is_not_run(square: np.ndarray) -> None:
    class Traced:
        target = Target.TEXT

    with pytest.raises(RunError, match="compiled for text"):
        record(Traced(), "diamond", square)


def test_a_program_without_a_device_has_nothing_to_record() -> None:
    text = (
        "func.func @add(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n"
    )
    with pytest.raises(RunError, match="hands no work to a device"):
        record(build(program(text)), "add", 1)


@pytest.mark.parametrize(
    ("name", "read"), [("run.ireeprof", read_profile), ("run.ireereplay", read_replay)]
)
@pytest.mark.parametrize("size", [0, 10, 24, 3000])
def test_a_file_that_is_cut_short_is_an_error_in_words(
    records: dict[str, Record],
    tmp_path: Path,
    name: str,
    read: Callable[[Path], object],
    size: int,
) -> None:
    path = tmp_path / name
    path.write_bytes((records["local-task"].folder / name).read_bytes()[:size])
    with pytest.raises(RunError, match=f"{name} is damaged or cut short: ") as raised:
        read(path)
    assert "c/runtime" not in str(raised.value)
    assert name in raised.value.command
    assert raised.value.todo.startswith("record the call again")


def test_a_file_that_is_something_else_is_an_error_in_words(tmp_path: Path) -> None:
    for name, read in (("run.ireeprof", read_profile), ("run.ireereplay", read_replay)):
        (tmp_path / name).write_text("func.func @f() { return }\n" * 9)
        with pytest.raises(RunError, match="file magic"):
            read(tmp_path / name)


def test_bytes_that_changed_never_end_in_another_error(
    records: dict[str, Record], tmp_path: Path
) -> None:
    found = records["local-task"]
    for name, read in (("run.ireeprof", read_profile), ("run.ireereplay", read_replay)):
        whole = (found.folder / name).read_bytes()
        # The beginning and the end of the log are calls; between them stand the inputs' bytes.
        places = [*range(24, 3000, 450), *range(6600, 8500, 290), *range(-3000, 0, 370)]
        for place in places:
            if abs(place) >= len(whole):
                continue
            changed = bytearray(whole)
            changed[place] ^= 0xFF
            (tmp_path / name).write_bytes(changed)
            # Another error than this one would fail the test.
            with suppress(RunError):
                assert read(tmp_path / name)


def test_a_log_without_marks_is_refused(records: dict[str, Record], tmp_path: Path) -> None:
    argv = [one for one in records["local-task"].commands[0].argv[1:] if "profiling" not in one]
    subprocess.run(
        [tool("iree-run-module"), *argv[:-1], f"--device_replay_output={tmp_path}/a.ireereplay"],
        cwd=records["local-task"].folder,
        check=True,
        capture_output=True,
    )
    with pytest.raises(RunError, match="does not say where the call begins"):
        read_replay(tmp_path / "a.ireereplay")


def test_a_crash_counts_as_the_end_only_when_the_log_is_whole(
    records: dict[str, Record], tmp_path: Path
) -> None:
    found = records["local-task"]
    ran = Ran(Command(("iree-run-module",)), -11, "", "", 1.0)
    log, notes = _whole(ran, found.folder, "m.vmfb", ("vulkan",))
    assert log.complete
    assert notes == ("iree-run-module was killed by signal 11 (SIGSEGV) after the end of its work",)
    whole = (found.folder / "run.ireereplay").read_bytes()
    (tmp_path / "run.ireereplay").write_bytes(whole[:5000])
    with pytest.raises(RunError, match=r"was killed by signal 11 \(SIGSEGV\)"):
        _whole(ran, tmp_path, "m.vmfb", ("vulkan",))


def test_what_the_log_does_not_say_is_none(records: dict[str, Record]) -> None:
    found = records["local-task"]
    mute = replace(
        found.log,
        executables={},
        buffers={k: v for k, v in found.log.buffers.items() if v != "before"},
        calls=tuple(replace(call, operands=None, waits=None) for call in found.log.calls),
    )
    did = submitted(mute, (), {})
    assert {one.name for one in did.dispatches} == {None}
    assert {one.executable for one in did.dispatches} == {None}
    assert [one.bindings is None for one in did.dispatches] == [True, True, False]
    assert {one.operands for one in did.dispatches} == {None}
    assert {one.after for one in did.submissions} == {None}
    assert {one.device for one in did.dispatches} == {"device 1"}
    profile = read_profile(found.folder / "run.ireeprof")
    # The profile knows names, if it fits.
    assert {one.name for one in timed(did, profile, "device 1")} == {NAME}
    other = replace(profile, operations=profile.operations[:-1])
    assert {one.nanoseconds for one in timed(did, other, "device 1")} == {None}
    assert high_water(did, profile, "device 7") is None


def test_names_are_read_only_when_all_lengths_agree() -> None:
    said = {"metadata_function_count": 1, "metadata_function_name_storage_length": 3}
    head = (1).to_bytes(16, "little") + (3).to_bytes(16, "little")
    row = bytes(26) + (3).to_bytes(2, "little") + bytes(4)
    assert _names(said, head + row + b"abc") == ("abc",)
    assert _names(said, head + row + b"abcd") is None
    assert _names(said, head + bytes(32) + b"abc") is None
    assert _names({**said, "metadata_function_count": 0}, b"") is None


def test_a_call_without_memory_holds_nothing() -> None:
    nothing = Submitted((), (), (), (), 0)
    assert high_water(nothing, Profile((), (), 7, ()), "local-task") == 0


def test_each_driver_is_asked_for_what_it_can_measure() -> None:
    assert "host-execution" in profile_modes("local-task")
    assert "dispatch-events" not in profile_modes("local-sync")
    assert "dispatch-events" in profile_modes("vulkan://GPU-1")
    assert "command-region-events" not in profile_modes("vulkan")


def test_weights_are_memory_that_was_there_before(
    compiled: Callable[..., Path], weights_file: Callable[..., Path]
) -> None:
    module, file = compiled("weights"), weights_file(w=np.ones(4, np.float32))
    found = record(module, None, np.ones(4, np.float32), parameters={"model": file})
    (dispatch,) = found.dispatches
    assert [one.buffer for one in dispatch.bindings or ()] == [
        "given 0",
        "loaded 0",
        "allocation 0",
    ]
    with pytest.raises(RunError, match="asks for parameters of the scope 'model'"):
        record(module, None, np.ones(4, np.float32))


def test_the_files_go_where_they_are_wanted(
    diamond: Built, square: np.ndarray, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    found = record(diamond, None, square, square, square, folder=folder)
    assert found.folder == folder
    names = {path.name for path in folder.iterdir()}
    assert {"module.vmfb", "run.ireereplay", "run.ireeprof"} <= names
    del found
    assert (folder / "run.ireeprof").exists()


def test_the_folder_lives_as_long_as_a_path_to_it(diamond: Built, square: np.ndarray) -> None:
    folder = record(diamond, None, square, square, square).folder
    assert (folder / "run.ireereplay").exists()
    place = str(folder)
    del folder
    assert not os.path.exists(place)
