"""The helpers of stage 5: what they say is what the compiler and the runtime do."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from iree_layers.compile import Target, build, program
from iree_layers.dump import trace
from iree_layers.errors import DumpError, LayersError, ProgramError, RunError
from iree_layers.execute import agree, child, contents, run
from iree_layers.learn import Verdict
from stages.s2_pipeline.mlp import inputs
from stages.s5_hal.against import rows
from stages.s5_hal.border import MLP, SIX, files, formats, parted, parting, phases, plain
from stages.s5_hal.dances import _in_time, counted
from stages.s5_hal.memory import room, stored, words
from stages.s5_hal.recordings import FORMS, calls, form, forms
from stages.s5_hal.variants import UNLINKED, conditioned, fat, guarded, two_kernels

HERE = Path(__file__).parents[2] / "stages" / "s5_hal"
QUERY = """
%ok, %value = hal.device.query<%device : !hal.device>
    key("hal.device.id" :: "local-sync") : i1, i1 = false
hal.return %value : i1
"""


def expected() -> NDArray[np.float32]:
    x, w, b = inputs()
    found: NDArray[np.float32] = np.maximum(x @ w + b, 0)
    return found


class TestBorder:
    def test_lines_that_define_a_target_are_left_out_and_uses_are_not(self) -> None:
        text = (
            '#device_target_local = #hal.device.target<"local">\n  x target(#device_target_local)'
        )
        assert plain(text) == "  x target(#device_target_local)"

    def test_the_line_of_the_device_is_left_out_on_request(self) -> None:
        text = "  util.global private @__device_0 = #device_target_local\n  util.global private @x"
        assert plain(text) == "  util.global private @x"
        assert plain(text, device=False) == text

    @pytest.mark.parametrize("name", [name for name in SIX if name != "llvm-cpu"])
    def test_the_device_is_all_that_differs_until_stream(self, name: str) -> None:
        one, other = SIX["llvm-cpu"], SIX[name]
        for phase in ("input", "abi", "preprocessing", "flow", "stream"):
            assert parted(one, other, phase, device=True).identical
            assert parted(one, other, phase).added <= 1
        assert parted(one, other, "executable-sources").added in (2, 3)

    def test_the_table_has_a_row_for_each_phase_and_a_column_for_each_target(self) -> None:
        lines = parting().splitlines()
        assert len(lines) == 1 + len(phases(Target.TEXT))
        assert all(len(line.split()) == len(SIX) + 1 for line in lines[1:])

    def test_each_target_has_one_format_and_one_file(self) -> None:
        assert [formats(target) for target in SIX.values()] == [
            ["embedded-elf-x86_64"],
            ["vmvx-bytecode-fb"],
            ["vulkan-spirv-fb"],
            ["cuda-nvptx-fb"],
            ["rocm-hsaco-fb"],
            ["metal-msl-fb"],
        ]
        assert len(files().splitlines()) == len(SIX)

    def test_machine_code_is_cut_out(self) -> None:
        assert "data = …" in phases(SIX["cuda"])["hal"]
        assert max(map(len, phases(SIX["cuda"])["hal"].splitlines())) < 2000


class TestRecordings:
    def test_three_forms(self) -> None:
        found = {name: form(*flags) for name, flags in FORMS.items()}
        assert [(one.memoized, one.indirect, one.mode) for one in found.values()] == [
            (True, True, "None"),
            (False, True, "OneShot"),
            (False, False, "OneShot"),
        ]
        assert {one.slots for one in found.values()} == {4, 0}

    def test_only_what_is_not_memoized_records_in_a_call(self) -> None:
        made = [flags for flags in FORMS.values() if "command_buffer.dispatch" in calls(*flags)]
        assert made == [flags for flags in FORMS.values() if not form(*flags).memoized]
        assert all("device.queue_execute" in calls(*flags) for flags in FORMS.values())
        assert len(forms().splitlines()) == 3 * len(FORMS)


class TestVariants:
    def test_a_condition_needs_its_variant(self) -> None:
        with pytest.raises(ProgramError, match="no variant @spirv"):
            conditioned("module {\n}", "spirv", QUERY)

    def test_it_stands_first_in_the_variant(self) -> None:
        text = phases(two_kernels())["executable-sources"]
        lines = conditioned(text, "vmvx", QUERY).splitlines()
        at = next(k for k, line in enumerate(lines) if "executable.condition" in line)
        assert "hal.executable.variant public @vmvx" in lines[at - 1]

    def test_it_chooses_by_device(self) -> None:
        module = guarded(QUERY, spare=True, edit=("arith.maximumf", "arith.minimumf"))
        assert agree(run(module, "mlp", *inputs(), device="local-task"), expected())
        assert (run(module, "mlp", *inputs(), device="local-sync") <= 0).all()

    def test_without_a_spare_the_other_device_is_refused(self) -> None:
        module = guarded(QUERY, spare=False)
        assert agree(run(module, "mlp", *inputs(), device="local-sync"), expected())
        with pytest.raises(RunError, match="does not support any variant"):
            run(module, "mlp", *inputs(), device="local-task")

    def test_a_condition_that_is_no_ir_is_an_error(self) -> None:
        with pytest.raises(LayersError):
            guarded("nonsense", spare=False)

    def test_a_fat_module_of_one_kernel_is_whole(self) -> None:
        built = build(program(MLP), fat("llvm-cpu", "vulkan-spirv"))
        kinds = [member.kind.partition(" ")[0] for member in contents(built).members]
        assert kinds == ["VM", "machine", "SPIR-V"]

    def test_linking_still_loses_the_variants_of_other_backends(self) -> None:
        # If this fails, IREE has repaired it: then stage 5 must say so.
        for flags, count in (((), 1), ((UNLINKED,), 4)):
            target = fat("llvm-cpu", "vulkan-spirv", flags=flags)
            built = build(program(HERE / "layers.mlir"), target)
            assert len(contents(built).members) == count + 1


class TestDevices:
    def test_words_are_a_copy(self) -> None:
        import iree.runtime as rt

        device = rt.get_device("local-task")
        buffer = room(device, 16)
        before = words(buffer)
        buffer.map().asarray([4], np.dtype("int32"))[:] = 3
        assert before.tolist() == [0, 0, 0, 0]
        assert words(buffer).tolist() == [3, 3, 3, 3]

    @pytest.mark.parametrize("dtype", ["float32", "int32"])
    def test_stored_keeps_shape_and_numbers(self, dtype: str) -> None:
        import iree.runtime as rt

        array = np.arange(6).reshape(2, 3).astype(dtype)
        view = stored(rt.get_device("local-task"), array)
        assert list(view.shape) == [2, 3]
        assert words(view.get_buffer(), dtype).tolist() == [0, 1, 2, 3, 4, 5]

    def test_local_sync_waits_in_the_callers_thread(self) -> None:
        found = child(_submit_and_signal, timeout=4)
        assert found.late
        assert found.stdout == "submitting\n"

    def test_the_allocators_numbers(self) -> None:
        assert counted() == {"peak": 128, "allocated": 188, "freed": 100}

    def test_a_function_that_waits_for_ever_is_a_verdict(self) -> None:
        from threading import Event

        free = Event()
        try:
            found = _in_time(free.wait)
        finally:
            free.set()
        assert isinstance(found, Verdict)
        assert found.found == "it waits"


def _submit_and_signal() -> None:
    import iree.runtime as rt

    device = rt.get_device("local-sync")
    go, done = device.create_semaphore(0), device.create_semaphore(0)
    commands = rt.HalCommandBuffer(device)
    commands.end()
    print("submitting", flush=True)
    device.queue_execute(commands, [(go, 1)], [(done, 1)])
    go.signal(1)


class TestQueries:
    """What exercise 5.9 says about who says no."""

    @staticmethod
    def asked(target: Target) -> list[tuple[str, str]]:
        text = phases(target)["hal"].partition("util.global.store")[0]
        return re.findall(r'device\.query<.*?key\("([\w.]+)" :: "([^"]+)"\)', text)

    def test_a_cuda_module_fails_at_the_first_query(self) -> None:
        (key, pattern), *_ = self.asked(SIX["cuda"])
        assert key == "hal.device.id"
        assert not fnmatch("local-task", pattern)

    def test_code_for_another_cpu_fails_at_the_second(self) -> None:
        foreign = Target.cpu("generic", triple="aarch64-unknown-unknown-eabi-elf")
        (key, pattern), (second, form_) = self.asked(foreign)
        assert (key, second) == ("hal.device.id", "hal.executable.format")
        assert fnmatch("local-task", pattern)
        assert form_ == "embedded-elf-arm_64"


class TestAgainst:
    def test_every_row_is_found(self) -> None:
        found = rows(trace(program(MLP), Target.TEXT, progress=False, files=False))
        assert found.count("\n    ") == 9

    def test_another_trace_is_an_error(self) -> None:
        text = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}"
        with pytest.raises(DumpError, match="no line like"):
            rows(trace(program(text, name="f"), Target.TEXT, progress=False, files=False))
