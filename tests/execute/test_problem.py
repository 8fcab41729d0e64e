"""Messages of the runtime 3.13.0, each copied from a run."""

from __future__ import annotations

import pytest

from iree_layers.errors import RunError
from iree_layers.execute.problem import device_problem, explain

LOAD = "Error creating vm module from aligned memory: "
CONTEXT = "Error creating vm context with modules: "
CPP = "c/runtime/src/iree/"
REGISTRY = f"{CONTEXT}{CPP}vm/context.c:205: NOT_FOUND;"
INIT = "; while invoking native function io_parameters.load; while calling import; \n[ 0] par@2"
VULKAN = (
    CONTEXT + "<vm>:0: INCOMPATIBLE; HAL device `__device_0` not found or unavailable: "
    '#hal.device.target<"vulkan", [#hal.executable.target<"vulkan-spirv", "vulkan-spirv-fb", '
    '{iree_codegen.target_info = #iree_gpu.target<arch = "llvmpipe"' + ", features" * 400
)
ARM = (
    CONTEXT + "<vm>:0: INCOMPATIBLE; HAL device `__device_0` not found or unavailable: "
    '#hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-arm_64", {cpu'
)
SECOND = (
    CONTEXT + "<vm>:0: INCOMPATIBLE; HAL device `dev_b` not found or unavailable: "
    '#hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"llvm-cpu", '
    '"embedded-elf-x86_64", {cpu'
)

CASES = {
    "older": (
        f"{LOAD}{CPP}vm/bytecode/verifier.c:184: INVALID_ARGUMENT; bytecode version mismatch; "
        "runtime supports 17.0, module has 15.0",
        ["an older IREE", "version 15.0", "expected: bytecode version 17.0", "compile it again"],
    ),
    "newer": (
        "bytecode version mismatch; runtime supports 15.0, module has 16.0",
        ["a newer IREE", "version 16.0"],
    ),
    "features": (
        "required module features [Ch] are not available in this runtime configuration",
        ["needs features", "Ch"],
    ),
    "hal version": (
        "required module 'hal' version mismatch; have 2 but require 5",
        ["another IREE", "needs version 5 of 'hal'", "expected: version 2"],
    ),
    "import": (
        f"{REGISTRY} required module 'pymath' not registered on the "
        "context; resolving module 'module' imports",
        ["module 'pymath'", "contents(vmfb).imports"],
    ),
    "parameters": (
        f"{REGISTRY} required module 'io_parameters' not registered "
        "on the context; resolving module 'par' imports",
        ["keeps its weights in a parameter file", "parameters={'scope'"],
    ),
    "inline": (
        f"{REGISTRY} required module 'hal_inline' not registered on "
        "the context; resolving module 'module' imports",
        ["--iree-execution-model=inline", "iree-run-module"],
    ),
    "scope": (
        f"{CONTEXT}{CPP}modules/io/parameters/module.c:130: NOT_FOUND; no provider registered that "
        f"handles scopes like 'model'{INIT}",
        ["scope 'model'", "parameters={'model':"],
    ),
    "key": (
        f"{CONTEXT}{CPP}io/parameter_index.c:248: NOT_FOUND; no parameter found in index with key "
        f"'w'{INIT}",
        ["parameter 'w'", "iree-dump-parameters"],
    ),
    "range": (
        f"{CONTEXT}{CPP}io/provider.c:213: OUT_OF_RANGE; parameter `w` range out of "
        f"bounds (offset=0, length=16, size=12){INIT}",
        ["'w' has 12 bytes", "expected: 16 bytes"],
    ),
    "device": (
        VULKAN,
        ["compiled for vulkan (vulkan-spirv-fb)", "run on local-task", "if devices()"],
    ),
    "processor": (ARM, ["another processor: embedded-elf-arm_64", "Target.HOST"]),
    "second device": (SECOND, ["dev_b is number 1", "expected: 2 devices", "device=("]),
    "count": (
        f"Error invoking function: {CPP}vm/invocation.c:103: INVALID_ARGUMENT; input list and "
        "function mismatch; expected 3 arguments but passed 2",
        ["takes 3 arguments, 2 given"],
    ),
    "damaged": (
        f"{LOAD}{CPP}vm/bytecode/verifier.c:29: INVALID_ARGUMENT; FlatBuffer verification failed: "
        "runtime: buffer header not aligned",
        ["is damaged", "buffer header not aligned"],
    ),
    "rodata": (
        f"{LOAD}{CPP}vm/bytecode/verifier.c:83: INVALID_ARGUMENT; rodata[4] external reference out "
        "of range",
        ["is damaged"],
    ),
    "subgroups": (
        f"{CPP}hal/x.c:1: UNAVAILABLE; pipelines[0] requires subgroup size 32 outside device range "
        "[8, 8]; while invoking native function hal.executable.create",
        ["the runtime refused m.vmfb: pipelines[0] requires subgroup size 32"],
    ),
}


@pytest.mark.parametrize("text", CASES, ids=list(CASES))
def test_says_it_in_the_learners_words(text: str) -> None:
    message, words = CASES[text]
    error = explain(ValueError(message), origin="m.vmfb", devices=("local-task",))
    assert isinstance(error, RunError)
    assert all(word in str(error) for word in words), str(error)
    assert error.todo
    assert len(str(error)) < 500
    assert "c/runtime" not in str(error)


def test_a_cpu_module_on_vulkan_is_sent_home() -> None:
    error = explain(RuntimeError(ARM), origin="m.vmfb", devices=("vulkan",))
    assert error.expected == "device='local-task'"
    assert error.todo.startswith("run(…, device='local-task'),")


def test_an_unknown_message_is_passed_on_short() -> None:
    text = f"Error: {CPP}x.c:9: UNKNOWN; something new {'and long ' * 200}"
    error = explain(RuntimeError(text), origin="m.vmfb")
    assert str(error).startswith("the runtime refused m.vmfb: something new and long")
    assert len(str(error)) < 400


def test_the_reason_may_be_in_the_cause() -> None:
    error = RuntimeError("Could not create device. Exception for last tried follows.")
    error.__cause__ = RuntimeError(
        f"{CPP}x.c:66: UNAVAILABLE; CUDA driver library 'a' not available"
    )
    found = device_problem(error, "cuda", ["local-sync", "local-task"])
    assert "CUDA driver library" in found.found
    assert found.expected.endswith("local-sync, local-task")
    assert "NVIDIA" in found.todo


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (
            "NOT_FOUND; device paths not yet implemented; creating device 'local-task://0'",
            "local-task://0",
            "takes no path",
        ),
        (
            "NOT_FOUND; Vulkan device path 'x' not found; creating device 'vulkan://x'",
            "vulkan://x",
            "--list_devices=vulkan",
        ),
        (
            "UNAVAILABLE; [vkCreateInstance] VK_ERROR_INCOMPATIBLE_DRIVER",
            "vulkan",
            "mesa-vulkan-drivers",
        ),
    ],
)
def test_devices_that_do_not_open(text: str, name: str, words: str) -> None:
    assert words in str(
        device_problem(ValueError(f"Error: {CPP}x.c:1: {text}"), name, ["local-task"])
    )
