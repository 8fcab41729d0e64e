"""Stage 4: TVM's rules as TVM has them, the moves of passes, calls with fences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from iree_layers.compare.schedule import schedule
from iree_layers.compile import program
from iree_layers.dump import trace
from iree_layers.errors import DumpError
from stages.s4_flow_stream.checks import HERE
from stages.s4_flow_stream.dance import fenced
from stages.s4_flow_stream.fences import prepared
from stages.s4_flow_stream.fusion import VARIANTS, launches
from stages.s4_flow_stream.moves import change_by, host_lines, snapshot_of
from stages.s4_flow_stream.programs import CHAIN, WIDE, products, widths
from stages.s4_flow_stream.relay import GRAPHS, Op, groups, plan


def names(ops: tuple[Op, ...]) -> list[list[str]]:
    return [[ops[number].name for number in group] for group in groups(ops)]


def chain(*ops: str) -> tuple[Op, ...]:
    return tuple(Op(name, (k - 1,) if k else ()) for k, name in enumerate(ops))


@pytest.mark.parametrize(
    ("ops", "wanted"),
    [
        # tests/python/relay/test_pass_fuse_ops.py of TVM 0.6 has these cases.
        (chain("add", "nn.relu", "add"), [["add", "nn.relu", "add"]]),
        (chain("nn.conv2d", "add", "nn.relu"), [["nn.conv2d", "add", "nn.relu"]]),
        (chain("nn.conv2d", "nn.conv2d"), [["nn.conv2d"], ["nn.conv2d"]]),
        (chain("nn.softmax", "add"), [["nn.softmax"], ["add"]]),
        (chain("add", "sum"), [["add", "sum"]]),
        (chain("sum", "add"), [["sum"], ["add"]]),
        (chain("transpose", "add"), [["transpose", "add"]]),
        (chain("nn.conv2d", "nn.relu", "sum"), [["nn.conv2d", "nn.relu"], ["sum"]]),
        (chain("nn.dense", "strided_slice"), [["nn.dense"], ["strided_slice"]]),
    ],
)
def test_groups_are_those_of_fuse_ops(ops: tuple[Op, ...], wanted: list[list[str]]) -> None:
    assert names(ops) == wanted


def test_a_diamond_is_fused_to_its_end() -> None:
    ops = (Op("add"), Op("nn.relu", (0,)), Op("multiply", (0,)), Op("add", (1, 2)))
    assert len(groups(ops)) == 1


def test_two_products_never_share_a_group() -> None:
    ops = GRAPHS["one input, two products"]
    assert sorted(names(ops)) == [["nn.dense"], ["nn.dense", "add"]]


def test_every_graph_has_a_program() -> None:
    assert set(GRAPHS) - set(VARIANTS) == {"digits MLP", "digits CNN"}


def test_relays_plan_hands_out_whole_buffers() -> None:
    assert plan(schedule(CHAIN)) == [16384, 16384]
    # The third value fits neither the first buffer nor shares it: that one grows.
    assert plan(schedule(widths([512, 1024, 1536]))) == [1536, 1024]


def test_no_plan_beats_what_is_alive() -> None:
    for text in (CHAIN, WIDE, widths([512, 1024, 1536])):
        found = schedule(text)
        alive = [
            sum(x.length for x in found.lives if x.writer is not None and x.first <= s <= x.last)
            for s in range(found.steps)
        ]
        assert (found.transient or 0) >= max(alive[:-1])


def test_products_do_what_their_numbers_say() -> None:
    found = schedule(products([(0, 1), (2, 2)]))
    first, second = found.works
    assert first.accesses[-1] == second.accesses[0].__class__(
        second.accesses[0].resource, "wo", second.accesses[0].offset, second.accesses[0].length
    )


def test_a_chain_has_a_step_for_each() -> None:
    assert [work.step for work in schedule(widths([512, 1024])).works] == [0, 1, 2]


def test_moves_are_found_by_name() -> None:
    dense = trace(program(HERE / "dense.mlir"), files=False)
    assert change_by(dense, "iree-flow-outline-dispatch-regions").changed
    with pytest.raises(DumpError, match="changed something 0 times"):
        snapshot_of(dense, "iree-hal-conversion-of-nothing")
    lines = host_lines(dense.phase("flow"), "flow.dispatch").splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("%3 = flow.dispatch @matmul_64x64x64_f32(")


def test_flags_change_counts() -> None:
    one, two = "product, sum", "product, sum, both returned"
    assert [len(launches(name).dispatches) for name in (one, two)] == [1, 2]


def test_a_fenced_call_waits() -> None:
    from iree.runtime import HalFence

    a = np.eye(64, dtype=np.float32)
    call = prepared(fenced(), "diamond", a, a, a)
    go, done = call.device.create_semaphore(0), call.device.create_semaphore(0)
    for semaphore in (go, done):
        call.arguments.push_ref(HalFence.create_at(semaphore, 1))
    call.invoke()
    assert not HalFence.create_at(done, 1).wait(timeout=10_000_000)
    go.signal(1)
    assert HalFence.create_at(done, 1).wait(timeout=5_000_000_000)
    assert np.array_equal(call.result(), a)


def test_the_steps_of_wide_follow_its_numbers() -> None:
    steps = [work.step for work in schedule(WIDE).works]
    assert all(a <= b for a, b in pairwise(steps))
