from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from iree_layers.compare.census import census, dialects, ops

# Ops that the printer leaves out because the syntax implies them (3.13).
IMPLIED = {
    "flow.executable_end",
    "hal.executable.variant_end",
    "hal.executable_end",
    "linalg.yield",
    "scf.forall.in_parallel",
    "scf.yield",
    "stream.executable.end",
    "stream.yield",
    "vm.module_terminator",
}


def parsed(text):
    """Ops by name, as iree.compiler.ir sees them; None if it does not parse."""
    from iree.compiler import ir

    found: Counter[str] = Counter()

    def visit(op):
        found[op.name] += 1
        # The bodies of named ops, e.g. the arith.mulf in linalg.matmul, are not printed.
        if op.name.startswith("linalg.") and op.name != "linalg.generic":
            return ir.WalkResult.SKIP
        return ir.WalkResult.ADVANCE

    with ir.Context():
        try:
            root = ir.Operation.parse(text)
        except ir.MLIRError:
            return None
        root.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def test_exact_on_all_phases(mlp):
    assert len(mlp.phases) == 12
    for name in mlp.phases:
        expected, found = parsed(mlp.phase(name)), ops(mlp.phase(name))
        assert expected is not None, name
        wrong = {op for op in expected | found if expected[op] != found[op]} - IMPLIED
        assert not wrong, name
        assert all(found[op] <= expected[op] for op in IMPLIED)


def test_close_on_all_snapshots_that_parse(mlp_module):
    texts = {s.content: mlp_module.text(s) for s in mlp_module.dump}
    whole = [(ops(text), found) for text in texts.values() if (found := parsed(text))]
    assert len(whole) / len(texts) > 0.95
    ours = sum(count.total() for count, _ in whole)
    theirs = sum(count.total() for _, count in whole)
    assert 0.98 <= ours / theirs <= 1
    total, expected = Counter(), Counter()
    for count, other in whole:
        total += count
        expected += other
    assert {op for op in total | expected if total[op] != expected[op]} <= IMPLIED


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("    %7:2 = scf.for %arg3 = %c0 to %c8 step %c1 {", ["scf.for"]),
        ("  %values, %indices = iree_linalg_ext.topk {k = 1}", ["iree_linalg_ext.topk"]),
        ('  %30 = "torch.operator"(%29) : (!torch.int) -> !torch.int', ["torch.operator"]),
        ("  return %0 : f32", ["func.return"]),
        ("module attributes {a = 1} {", ["builtin.module"]),
        ("builtin.module {", ["builtin.module"]),
        ("  ^bb0(%in: f32, %out: f32):", []),
        ("    ro %arg3[%c0 for %c64] : !stream.resource<external>{%c64},", []),
        ("    } else {", []),
        ("  }", []),
        ("#map = affine_map<(d0) -> (d0)>", []),
        ("// a comment with arith.addf", []),
        (
            "  %r = linalg.reduce { arith.addf } ins(%0 : tensor<4xf32>) outs(%1 : tensor<f32>)",
            ["linalg.reduce", "arith.addf"],
        ),
        ("  %c = spirv.Constant 1 : i32", ["spirv.Constant"]),
        (
            "  %9 = vector.mask %8 { vector.reduction <add>, %7 : vector<8xf32> into f32 } : f32",
            ["vector.mask", "vector.reduction"],
        ),
        ('      torch_tensor_8_torch.float32: "0x04000000F7251ABE7B94CEBD",', []),
        ("      dialect_resources: {", []),
        ("", []),
    ],
)
def test_a_line(line, names):
    assert list(ops(line).elements()) == names


def test_most_frequent_first():
    found = dialects("arith.addf\nlinalg.fill\nlinalg.matmul")
    assert list(found.items()) == [("linalg", 2), ("arith", 1)]


def test_matrix_over_snapshots(mlp):
    found = census(mlp)
    assert census(mlp.dump) is found
    assert found.counts.shape == (len(found.dialects), len(mlp))
    for position in (0, 100, len(mlp) - 1):
        column = dict(zip(found.dialects, found.counts[:, position].tolist(), strict=True))
        assert {k: v for k, v in column.items() if v} == dialects(mlp.text(position))


def test_bands_are_the_layers(mlp):
    bands = census(mlp).bands
    assert tuple(name for name, _, _ in bands) == mlp.layers
    assert bands[0][1] == 0
    assert bands[-1][2] == len(mlp)
    assert all(one[2] == other[1] for one, other in pairwise(bands))


def test_life_of_a_dialect(mlp):
    first, last = census(mlp).life("linalg")
    assert first == 0
    assert not np.any(census(mlp).of("linalg")[last + 1 :])
    assert census(mlp).life("cuda") is None


def test_text_is_short(mlp):
    assert len(str(census(mlp)).split("\n")) <= 40


def test_a_resource_with_dots_in_its_name_is_no_op():
    line = '      __auto.constant_32_64_torch.float32: "0x0400",\n'
    assert not ops(line)
    assert ops("  %0 = stablehlo.add %1, %2 : tensor<4xf32>\n") == {"stablehlo.add": 1}
