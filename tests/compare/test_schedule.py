"""A schedule keeps every dependence, and no two lives share bytes at one step."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iree_layers.compare.schedule import Schedule, schedule
from iree_layers.compile.program import program
from iree_layers.compile.target import Target
from iree_layers.dump.trace import trace
from iree_layers.errors import DumpError, TargetError
from iree_layers.show.schedule import schedule as show_schedule

from .programs import COND, CONSTANT, DIAMOND, DYNAMIC, STATE, TWO_DEVICES, UPDATE, products

SIZE = 64 * 64 * 4


@pytest.fixture(scope="module")
def diamond() -> Schedule:
    return schedule(DIAMOND)


def test_independent_work_shares_a_step(diamond: Schedule) -> None:
    assert [work.step for work in diamond.works] == [0, 0, 1]
    assert [[work.number for work in row] for row in diamond.concurrent] == [[0, 1]]
    assert (diamond.steps, diamond.transient, diamond.unpacked) == (2, 2 * SIZE, 2 * SIZE)


def test_accesses_are_those_of_the_ir(diamond: Schedule) -> None:
    last = diamond.works[2]
    assert [(a.resource, a.how, a.offset, a.length) for a in last.accesses] == [
        ("transient 0", "ro", 0, SIZE),
        ("transient 0", "ro", SIZE, SIZE),
        ("external 3", "wo", 0, SIZE),
    ]
    assert last.name == "diamond_dispatch_0_matmul_64x64x64_f32"


def test_timepoints_are_a_chain(diamond: Schedule) -> None:
    ops = [point.op for point in diamond.timepoints]
    assert ops == ["alloca", "alloca", "join", "execute 0", "dealloca"]
    join = diamond.timepoints[2]
    assert join.awaits == tuple(point.name for point in diamond.timepoints[:2])
    assert diamond.waits == (diamond.timepoints[4].name,)
    assert diamond.signals == ()


def test_a_trace_gives_the_same(diamond: Schedule) -> None:
    assert schedule(trace(program(DIAMOND), files=False)) == diamond


def test_without_concurrency_each_has_a_step_of_its_own() -> None:
    favour = Target.TEXT.with_flags("--iree-stream-partitioning-favor=debug")
    found = schedule(DIAMOND, target=favour)
    assert [work.step for work in found.works] == [0, 1, 2]
    assert found.concurrent == ()


def test_a_fence_of_the_caller_is_told() -> None:
    found = schedule(
        DIAMOND, target=Target.TEXT.with_flags("--iree-execution-model=async-external")
    )
    assert found.timepoints[0].op == "import"
    assert found.waits == ()
    assert found.signals == (found.timepoints[-1].name,)


def test_two_devices() -> None:
    found = schedule(TWO_DEVICES, target=Target.TEXT.with_devices("dev_a", "dev_b"))
    assert [(work.op, work.affinity) for work in found.works] == [
        ("dispatch", "@dev_a"),
        ("copy", "@dev_a"),
        ("flush", "@dev_a"),
        ("dispatch", "@dev_b"),
        ("invalidate", "@dev_a"),
        ("copy", "@dev_a"),
    ]
    assert [work.execute for work in found.works] == [0, 0, 0, 1, 2, 2]
    assert [work.step for work in found.works] == list(range(6))


def test_devices_need_a_target_that_has_them() -> None:
    with pytest.raises(TargetError, match="is no name of a device"):
        Target.HOST.with_devices("a b")
    with pytest.raises(TargetError, match="not a target of local devices"):
        Target.vulkan().with_devices("a")


def test_sizes_of_run_time_are_not_guessed() -> None:
    found = schedule(DYNAMIC)
    assert found.transient is None
    assert found.works[1].accesses[0].length is None
    assert found.lives == tuple(life for life in found.lives if life.length == SIZE)
    assert "known at run time" in show_schedule(found).text


def test_branches_follow_what_stands_before() -> None:
    found = schedule(COND)
    steps = {work.number: work.step for work in found.dispatches}
    assert sorted(steps.values()) == list(steps.values())
    assert len(set(steps.values())) == 2


def test_state_has_an_initialiser() -> None:
    found = schedule(STATE)
    assert found.others == ("initializer 0",)
    assert [work.op for work in schedule(STATE, function="initializer 0").works] == ["fill"]
    assert {each.lifetime for each in found.resources} == {"external", "variable"}


def test_copies_say_from_where_to_where() -> None:
    first, second, _ = schedule(UPDATE).works
    assert (first.op, [(a.how, a.length) for a in first.accesses]) == (
        "copy", [("ro", 256), ("wo", 256)]
    )  # fmt: skip
    assert [(a.offset, a.length) for a in second.accesses] == [(0, 32), (32, 32)]


def test_the_compile_in_the_compile_is_not_the_program() -> None:
    traced = trace(program(CONSTANT), files=False)
    assert "const-eval" in traced.layers
    found = schedule(traced)
    assert (found.function, found.others) == ("constant", ())
    assert len(found.dispatches) == 1


def test_nothing_scheduled_and_no_such_function() -> None:
    with pytest.raises(DumpError, match="nothing is scheduled"):
        schedule("func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n")
    with pytest.raises(DumpError, match="there is no function in g"):
        schedule(DIAMOND, function="g")


def pairs(draw: st.DrawFn) -> list[tuple[int, int]]:
    count = draw(st.integers(2, 9))
    return [(draw(st.integers(0, k + 1)), draw(st.integers(0, k + 1))) for k in range(count)]


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.composite(pairs)())
def test_any_program_keeps_its_order_and_its_memory(takes: list[tuple[int, int]]) -> None:
    found = schedule(products(takes))
    for work in found.works:
        for access in work.accesses:
            if access.how == "ro" and access.resource.startswith("transient"):
                writer = max(
                    (
                        life.writer
                        for life in found.lives
                        if life.resource == access.resource
                        and (life.offset, life.length) == (access.offset, access.length)
                        and work.number in life.readers
                        and life.writer is not None
                    ),
                    default=None,
                )
                assert writer is not None
                assert found.works[writer].step < work.step
    for a, b in combinations([x for x in found.lives if x.resource.startswith("transient")], 2):
        if a.resource == b.resource and a.offset < b.offset + b.length:
            shares_bytes = b.offset < a.offset + a.length
            assert not shares_bytes or a.last < b.first or b.last < a.first
    assert (found.transient or 0) <= found.unpacked


def test_the_view(diamond: Schedule) -> None:
    shown = show_schedule(diamond)
    assert "32,768 transient bytes hold 32,768" in shown.text
    assert shown.html.count('class="wk"') == 3
    assert shown.html.count('class="lv"') == 2
    assert shown.html.count('class="tp"') == len(diamond.timepoints)
    assert "the host waits" in shown.html
