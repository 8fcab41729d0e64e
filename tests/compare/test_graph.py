"""The dispatch graph says what the IR says."""

from __future__ import annotations

import pytest

from iree_layers.compare.graph import Graph, flow_text, graph, kernels
from iree_layers.compare.kernels import label
from iree_layers.compile.program import program
from iree_layers.dump.trace import Trace, trace
from iree_layers.errors import DumpError
from iree_layers.show.graph import graph as show_graph

from .programs import COND, DIAMOND, STATE, UPDATE, products


def launches(found: Graph) -> list[str]:
    return [vertex.kernel.label for vertex in found.dispatches if vertex.kernel]


@pytest.fixture(scope="module")
def diamond() -> Graph:
    return graph(DIAMOND)


def test_launches_and_kernels(diamond: Graph) -> None:
    assert launches(diamond) == ["0_matmul_64x64x64_f32"] * 3
    (kernel,) = diamond.kernels
    assert (kernel.root, kernel.ops) == ("linalg.matmul", ("linalg.matmul",))
    assert kernel.executable == "diamond_dispatch_0"
    assert repr(diamond) == "Graph(diamond: 3 dispatches of 1 kernels, 7 edges)"


def test_edges_are_the_dependences(diamond: Graph) -> None:
    assert [(edge.source, edge.target) for edge in diamond.edges] == [
        (0, 3), (1, 3), (0, 4), (2, 4), (3, 5), (4, 5), (5, 6)
    ]  # fmt: skip
    assert {edge.type for edge in diamond.edges} == {"tensor<64x64xf32>"}


def test_a_trace_and_its_text_give_the_same(diamond: Graph) -> None:
    traced = trace(program(DIAMOND), files=False)
    assert graph(traced) == diamond
    assert graph(flow_text(traced)) == diamond


def test_what_is_fused_stands_in_one_kernel(mlp: Trace) -> None:
    (kernel,) = kernels(mlp).values()
    assert kernel.root == "linalg.matmul"
    assert kernel.ops == ("linalg.matmul", "linalg.generic")


def test_what_a_branch_gives_comes_before_it() -> None:
    found = graph(COND)
    ops = [vertex.op for vertex in found.vertices]
    assert ops.index("scf.if") > ops.index("flow.dispatch")
    branch = ops.index("scf.if")
    assert {ops[e.source] for e in found.edges if e.target == branch} == {
        "flow.dispatch", "hal.tensor.import"
    }  # fmt: skip
    assert all(edge.source < edge.target for edge in found.edges)


def test_globals_and_updates_are_vertices() -> None:
    named = [(v.op, v.name) for v in graph(STATE).vertices]
    assert ("util.global.load", "s") in named
    assert ("util.global.store", "s") in named
    assert "flow.tensor.update" in [vertex.op for vertex in graph(UPDATE).vertices]


@pytest.mark.parametrize("width", [1, 5])
def test_independent_products_do_not_depend_on_each_other(width: int) -> None:
    found = graph(products([(0, 1)] * 1 + [(0, 2)] * width))
    made = {vertex.number for vertex in found.dispatches}
    inner = [edge for edge in found.edges if edge.source in made and edge.target in made]
    assert len({edge.source for edge in inner}) == 1
    assert len(inner) == len(found.dispatches) - 1


def test_nothing_to_launch_and_no_such_function() -> None:
    with pytest.raises(DumpError, match="nothing is dispatched"):
        graph("func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n")
    with pytest.raises(DumpError, match="there is no function in g") as caught:
        graph(DIAMOND, function="g")
    assert "diamond" in caught.value.expected


def test_text_that_is_not_whole_is_an_error_in_words() -> None:
    with pytest.raises(DumpError, match="does not parse"):
        graph("flow.executable private @x {")


def test_a_trace_that_stops_early_is_named() -> None:
    with pytest.raises(DumpError, match="does not reach the end of flow"):
        graph(trace(program(DIAMOND), files=False, layer="flow"))


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("mlp_dispatch_0_matmul_4x16x8_f32", "0_matmul_4x16x8_f32"),
        ("main_dispatch_10_softmax_dispatch_tensor_store", "10_softmax_dispatch_tensor_store"),
        ("main$async_dispatch_3_slow_memcpy", "3_slow_memcpy"),
        ("kernel", "kernel"),
    ],
)
def test_labels(name: str, short: str) -> None:
    assert label(name) == short


def test_the_view(diamond: Graph) -> None:
    shown = show_graph(diamond)
    assert shown.text.splitlines()[-1] == "diamond: 3 dispatches of 1 kernel"
    assert shown.html.count('class="bx"') == 3
    assert shown.html.count('class="pl"') == 4
    assert shown.html.count('class="ar"') == len(diamond.edges)
