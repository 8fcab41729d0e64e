"""Layers against an independent truth: the counters of the compiler's own tree of files.

`--mlir-print-ir-tree-dir` names each file by the counters of all enclosing ops. A file with the
counters k lies in the first phase whose marker Mi has Mi >= k[0] (> where k has more than one
part); a second module below the root is const-eval's; an executable is a folder. None of that
is used by `assign`, which sees a stream. What the tree loses (ops without a symbol) is left out
on both sides.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.compile.phases import PHASES
from iree_layers.compile.toolchain import run_tool
from iree_layers.dump.index import index
from iree_layers.dump.layers import MARKER, assign, borders
from iree_layers.dump.source import MemorySource
from iree_layers.dump.trace import trace

RUNS = [
    ("mlp", "llvm-cpu"),
    ("mlp", "vulkan-spirv"),
    ("mlp", "vmvx"),
    ("two_matmuls", "llvm-cpu"),
    ("two_matmuls", "vulkan-spirv"),
    ("two_matmuls", "vmvx"),
    ("const_eval", "llvm-cpu"),
]
SCOPES = ["op", "module"]


def dump_of(data: bytes):
    return assign(index(MemorySource(data)))


def without_markers(dump):
    """The bytes of a dump without its phase markers, and the layers of what is left."""
    kept = [s for s in dump if s.header.argument != MARKER]
    return b"".join(dump.raw(s) for s in kept), [s.layer for s in kept]


# The truth, read from file names alone


def truth(folder: Path) -> list[tuple[str, str, str | None, str]]:
    """(layer, op folder, executable, pass) of each file, ops without symbol left out."""
    rows = []
    for file in folder.rglob("*.mlir"):
        counted = re.fullmatch(r"((?:\d+_)+)(.+)\.mlir", file.name)
        key = tuple(int(part) for part in counted[1][:-1].split("_"))
        rows.append((key, counted[2], file.relative_to(folder).parts[:-1]))
    marks = sorted(key[0] for key, name, _ in rows if name == MARKER)
    assert len(marks) == len(PHASES)
    found = []
    for key, name, parts in sorted(rows):
        if parts[-1].endswith("initializer_no-symbol-name"):
            continue
        late = [mark for mark in marks if (mark >= key[0] if len(key) == 1 else mark > key[0])]
        layer = PHASES[len(marks) - len(late)]
        if len(parts) > 1 and parts[1].startswith("builtin_module"):
            layer = "const-eval"
        executable = [p.split("_executable_", 1)[1] for p in parts if "_executable_" in p[:19]]
        found.append((layer, parts[-1], executable[0] if executable else None, name))
    return found


def seen(dump) -> list[tuple[str, str, str | None, str]]:
    """The same of a trace, op scope."""
    return [
        (s.layer, f"{s.op}_{s.symbol}", s.dispatch, s.name)
        for s in dump
        if s.op not in ("util.initializer", "vm.initializer")
    ]


@pytest.mark.parametrize(("name", "target"), RUNS)
def test_every_snapshot_has_the_layer_of_the_tree(name, target, make_trace, make_tree):
    dump = make_trace(name, target).dump
    expected = truth(make_tree(name, target).folder)
    got = seen(dump)
    assert Counter((row[0], row[3]) for row in got) == Counter((r[0], r[3]) for r in expected)
    assert not any(s.guessed for s in dump)


@pytest.mark.parametrize(("name", "target"), RUNS)
def test_passes_of_each_function_come_in_the_order_of_the_tree(name, target, make_trace, make_tree):
    def by_function(rows, prefix):
        found = defaultdict(list)
        for layer, op, _, passed in rows:
            if op.startswith(prefix):
                found[layer, op[len(prefix) :]].append(passed)
        return found

    got = by_function(seen(make_trace(name, target).dump), "util.func_")
    expected = by_function(truth(make_tree(name, target).folder), "util_func_")
    assert got
    assert got == expected


@pytest.mark.parametrize(("name", "target"), RUNS)
def test_every_dispatch_is_that_of_the_tree(name, target, make_trace, make_tree):
    got = seen(make_trace(name, target).dump)
    expected = truth(make_tree(name, target).folder)
    assert any(row[2] for row in expected)
    assert Counter((r[0], r[2], r[3]) for r in got) == Counter((r[0], r[2], r[3]) for r in expected)


@pytest.mark.parametrize(("name", "target"), RUNS)
def test_at_module_scope_layers_are_the_same_and_no_dispatch_is_wrong(name, target, make_trace):
    by_op = make_trace(name, target).dump
    by_module = make_trace(name, target, scope="module").dump
    assert [s.name for s in by_op] == [s.name for s in by_module]
    assert [s.layer for s in by_op] == [s.layer for s in by_module]
    pairs = [(a.dispatch, b.dispatch) for a, b in zip(by_op, by_module, strict=True)]
    assert all(b in (a, None) for a, b in pairs)
    known = sum(b is not None for a, b in pairs if a)
    assert known / sum(a is not None for a, _ in pairs) > 0.9


def test_borders_are_those_of_the_checked_sample(samples):
    # The file is made by a command; it is compared whole, so that a difference can be read.
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("borders", Path(__file__).with_name("borders.py"))
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    expected = (samples / "borders.toml").read_text(encoding="utf-8")
    got = made.text()
    change = "\n".join(difflib.unified_diff(expected.splitlines(), got.splitlines(), lineterm=""))
    assert got == expected, change
    tables = tomllib.loads(got)
    for target in ("llvm-cpu", "vulkan-spirv", "vmvx"):
        layers = tables[f"mlp-{target}"]["layers"]
        assert [row[0] for row in layers] == list(PHASES)
        assert all(row[4] == MARKER for row in layers)
        assert sum(row[2] for row in layers) == tables[f"mlp-{target}"]["snapshots"]


def test_the_phase_list_is_that_of_the_compiler():
    said = run_tool("iree-compile", "--help").stdout
    listed = re.search(r"--compile-to=<value>.*?\n((?: +=.*\n)+)", said)[1]
    names = re.findall(r"^ +=([\w-]+)", listed, re.M)
    assert names == ["start", *PHASES, "end"] or names == ["start", *PHASES]


# Other printing options


def test_before_and_after_share_a_layer(make_trace):
    both = make_trace("const_eval", before=True).dump
    after = [s.layer for s in both if s.header.when == "After"]
    assert after == [s.layer for s in make_trace("const_eval").dump]
    before = [s for s in both if s.header.when == "Before"]
    # Before and after of the pass that evaluates constants stand around the nested run.
    assert Counter(s.layer for s in before) == Counter(after)


def test_before_alone_has_the_same_layers(make_trace):
    both = make_trace("const_eval", before=True).dump
    before = [s for s in both if s.header.when == "Before"]
    alone = dump_of(b"".join(both.raw(s) for s in before))
    assert [s.layer for s in alone] == [s.layer for s in before]


def test_changed_only_keeps_exact_layers(make_trace):
    dump = make_trace("mlp", changed=True).dump
    assert dump.layers == PHASES
    assert not any(s.guessed for s in dump)
    assert len(dump) < len(make_trace("mlp").dump) / 3


def test_a_chosen_pass_keeps_exact_layers(make_trace):
    whole = make_trace("mlp").dump
    dump = make_trace("mlp", flags=("--mlir-print-ir-after=canonicalize",)).dump
    got = Counter(s.layer for s in dump if s.name == "canonicalize")
    assert got == Counter(s.layer for s in whole if s.name == "canonicalize")
    assert not any(s.guessed for s in dump)


@pytest.mark.parametrize("layer", ["input", "flow", "executable-targets", "vm"])
def test_one_layer_printed_alone_has_the_passes_of_that_layer(layer, make_trace):
    whole = [name for name in make_trace("mlp").passes(layer) if name != MARKER]
    alone = make_trace("mlp", layer=layer)
    # A resumed compile assigns the devices again first, and prints markers of phases around it.
    ran = [name for name in alone.passes(layer) if name != MARKER]
    assert ran[-len(whole) :] == whole
    assert len(alone) <= len(whole) + 12
    assert not any(s.guessed for s in alone)


# Const-eval


def test_const_eval_is_a_layer_inside_global_optimization(make_trace):
    names = [name for name, _, _ in borders(make_trace("const_eval").dump)]
    at = names.index("const-eval")
    assert names[at - 1 : at + 2] == ["global-optimization", "const-eval", "global-optimization"]
    assert names[: at - 1] + names[at + 1 :] == list(PHASES)


def test_const_eval_begins_and_ends_with_the_nested_program(make_trace):
    dump = make_trace("const_eval").dump
    inside = [s for s in dump if s.layer == "const-eval"]
    first, last = inside[0].index, inside[-1].index
    assert b"iree.consteval" in dump.ir(first)
    assert b"@main" in dump.ir(first - 1)
    assert b"@main" not in dump.ir(first)
    assert dump[last + 1].name.startswith("iree-consteval-")


def test_a_program_without_constants_has_no_const_eval(make_trace):
    dump = make_trace("mlp").dump
    assert any(s.name.startswith("iree-consteval-") for s in dump)
    assert "const-eval" not in dump.layers


def test_a_crash_inside_const_eval_is_inside_const_eval(make_trace):
    dump = make_trace("const_eval").dump
    inside = [s for s in dump if s.layer == "const-eval"]
    cut = dump_of(dump.source.read(0, inside[300].end))
    assert [s.layer for s in cut] == [s.layer for s in dump[: len(cut)]]


# Cut, resumed and old dumps


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.97])
def test_a_dump_cut_anywhere_keeps_its_layers(share, make_trace):
    dump = make_trace("two_matmuls").dump
    cut = dump_of(dump.source.read(0, int(dump.size * share)))
    assert len(cut) < len(dump)
    assert [(s.layer, s.guessed) for s in cut] == [(s.layer, False) for s in dump[: len(cut)]]


def test_a_dump_cut_before_the_first_marker_is_a_guess(make_trace):
    dump = make_trace("two_matmuls").dump
    assert all(s.guessed for s in dump_of(dump.source.read(0, dump[3].end)))


def test_a_dump_without_its_beginning_keeps_its_layers(make_trace):
    dump = make_trace("two_matmuls").dump
    start = dump[200].start
    late = dump_of(dump.source.read(start, dump.size))
    assert [s.layer for s in late] == [s.layer for s in dump[200:]]


def test_between_lost_markers_the_layer_is_a_guess(make_trace):
    dump = make_trace("mlp").dump
    kept = [s for s in dump if not (s.name == MARKER and ".flow.mlir" in s.header.options)]
    found = dump_of(b"".join(dump.raw(s) for s in kept))
    for got, true in zip(found, kept, strict=True):
        if true.layer in ("flow", "stream") and true.name != MARKER:
            assert got.guessed
            assert got.layer in ("flow", "stream")
        else:
            assert (got.layer, got.guessed) == (true.layer, False)


def test_two_runs_in_one_stream_are_both_right(make_trace):
    first, second = make_trace("mlp").dump, make_trace("two_matmuls").dump
    data = b"".join([*first.parts(), *second.parts()])
    assert [s.layer for s in dump_of(data)] == [s.layer for s in [*first, *second]]


def test_old_headers_have_no_paths_and_the_layers_are_exact(old_dump):
    dump = dump_of(old_dump)
    assert dump[0].header.options == ""
    assert not any(s.guessed for s in dump)
    names = [name for name, _, _ in borders(dump)]
    at = names.index("const-eval")
    assert names[: at - 1] + names[at + 1 :] == list(PHASES)


def test_an_old_dump_that_was_cut_is_only_a_guess(old_dump):
    whole = dump_of(old_dump)
    end = next(s for s in whole if s.layer == "hal").start
    cut = dump_of(old_dump[:end])
    assert all(s.guessed for s in cut if s.layer != "const-eval")
    assert [s.layer for s in cut] == [s.layer for s in whole[: len(cut)]]


# Guesses


@pytest.mark.parametrize(("name", "target"), RUNS)
@pytest.mark.parametrize("scope", SCOPES)
def test_a_best_fit_is_right_for_most_and_says_that_it_is_a_guess(name, target, scope, make_trace):
    data, layers = without_markers(make_trace(name, target, scope=scope).dump)
    found = dump_of(data)
    right = sum(s.layer == layer for s, layer in zip(found, layers, strict=True)) / len(layers)
    print(f"{name} {target} {scope}: {right:.1%} of {len(layers)} right without markers")
    assert right > 0.84
    assert all(s.guessed for s in found)


def test_a_best_fit_is_right_for_most_of_an_old_dump(old_dump):
    data, layers = without_markers(dump_of(old_dump))
    found = dump_of(data)
    right = sum(s.layer == layer for s, layer in zip(found, layers, strict=True)) / len(layers)
    print(f"{right:.1%} of {len(layers)} right without markers")
    assert right > 0.9
    assert all(s.guessed for s in found)


TORCH = """module { func.func @f(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32> } }"""
OTHER_PIPELINES = {
    "torch-mlir": "func.func(torch-decompose-complex-ops,convert-torch-to-linalg),canonicalize",
    "mlir-opt": "func.func(canonicalize,cse),symbol-dce,inline",
}
# In the form that Triton prints with MLIR_ENABLE_DUMP=1; written by hand.
TRITON = (
    b"// -----// IR Dump Before TritonGPUCoalesce (tritongpu-coalesce) "
    b"('builtin.module' operation) //----- //\n"
    b"#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32]}>\n"
    b'module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {\n'
    b"  tt.func public @add_kernel(%arg0: !tt.ptr<f32>) {\n    tt.return\n  }\n}\n\n"
)


@pytest.mark.parametrize("tool", OTHER_PIPELINES)
def test_dumps_of_other_tools_stay_unknown(tool, tmp_path):
    (tmp_path / "x.mlir").write_text(TORCH)
    ran = run_tool(
        "iree-opt", "x.mlir", f"--pass-pipeline=builtin.module({OTHER_PIPELINES[tool]})",
        "--mlir-print-ir-after-all", cwd=tmp_path,
    )  # fmt: skip
    dump = dump_of(ran.stderr.encode())
    assert len(dump) >= 3
    assert {(s.layer, s.guessed, s.dispatch) for s in dump} == {("unknown", False, None)}


def test_a_dump_of_triton_stays_unknown():
    dump = dump_of(TRITON * 3)
    assert [(s.layer, s.guessed) for s in dump] == [("unknown", False)] * 3


def test_a_marker_of_a_phase_that_we_do_not_know_is_believed():
    # A later compiler may have a phase more; what follows it is not ours to name.
    line = "// -----// IR Dump After {}: {} //----- //\nmodule {{\n}}\n\n"
    marker = MARKER + "{path=phases/m.13.afterlife.mlir}"
    data = line.format("CSEPass", "cse") + line.format("DumpModulePass", marker)
    dump = dump_of((data + line.format("CSEPass", "cse")).encode())
    assert [s.layer for s in dump] == ["afterlife", "afterlife", "unknown"]


@given(st.binary(max_size=300), st.lists(st.integers(0, 10**6), max_size=4))
def test_assign_never_fails_and_loses_nothing(noise, cuts):
    line = b"// -----// IR Dump After X: iree-util-dump-module{path=p/m.%d.flow.mlir} //----- //\n"
    data = b"".join(noise + b"\n" + line % cut for cut in cuts) + noise
    dump = index(MemorySource(data))
    found = assign(dump)
    assert [replace(s, layer="unknown", guessed=False, dispatch=None) for s in found] == list(dump)
    assert b"".join(found.parts()) == data


def test_assign_twice_is_assign_once(make_trace):
    dump = make_trace("const_eval").dump
    assert assign(dump).snapshots == dump.snapshots


def test_a_symbol_with_quotes_and_spaces_has_its_dispatches():
    found = trace(
        'func.func @"a \\22b\\22"(%x: tensor<4xf32>) -> tensor<4xf32> {\n'
        "  %0 = arith.mulf %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
    )
    inside = {s.dispatch for s in found.at("executable-targets")} - {None}
    assert inside == {'a "b"_dispatch_0'}
    assert any(s.op == "func.func" and s.dispatch for s in found.at("executable-targets"))
