"""Two compiles are paired without loss, and part where they really part."""

from __future__ import annotations

import pytest

from iree_layers.compare.comparison import Comparison, compare
from iree_layers.compile.program import program
from iree_layers.compile.target import Target
from iree_layers.dump.trace import Trace, trace
from iree_layers.errors import CompileError, DumpError
from iree_layers.show.comparison import comparison

from .programs import DIAMOND, products

DEBUG = "--iree-stream-partitioning-favor=debug"
FUSED = "--iree-dispatch-creation-enable-fuse-horizontal-contractions"


@pytest.fixture(scope="module")
def diamond() -> Trace:
    return trace(program(DIAMOND), files=False)


@pytest.fixture(scope="module")
def slow() -> Trace:
    return trace(program(DIAMOND), Target.TEXT.with_flags(DEBUG), files=False)


def is_whole(found: Comparison) -> bool:
    """Every snapshot of both is in exactly one pair, in order."""
    a = [pair.a for pair in found.pairs if pair.a is not None]
    b = [pair.b for pair in found.pairs if pair.b is not None]
    return a == list(range(len(found.a))) and b == list(range(len(found.b)))


def test_the_same_trace_is_equal(diamond: Trace) -> None:
    found = compare(diamond, trace(program(DIAMOND), files=False))
    assert found.equal
    assert found.first is None
    assert is_whole(found)
    assert {pair.kind for pair in found.pairs} == {"same"}
    assert str(found) == "equal after every pass"


def test_a_flag_of_stream_parts_in_stream(diamond: Trace, slow: Trace) -> None:
    found = compare(diamond, slow)
    assert found.inputs_differ is False
    assert found.first is not None
    assert found.first.layer == "stream"
    assert found.first.kind == "different"
    assert is_whole(found)
    before = [row.layer for row in found.layers if row.different == 0]
    assert before[-1] == "flow"


def test_it_is_symmetric(diamond: Trace, slow: Trace) -> None:
    one, two = compare(diamond, slow).first, compare(slow, diamond).first
    assert one is not None
    assert two is not None
    assert (one.a, one.b, one.name) == (two.b, two.a, two.name)


def test_a_pass_that_only_one_has_is_the_first_if_it_did_something(diamond: Trace) -> None:
    fused = trace(program(DIAMOND), Target.TEXT.with_flags(FUSED), files=False)
    found = compare(diamond, fused)
    assert found.first is not None
    assert found.first.kind == "only b"
    assert found.first.name.endswith("fuse-horizontal-contractions")
    assert found.options(found.first) == ("", "{fusion-limit=3}")
    assert is_whole(found)


def test_two_targets_part_where_the_device_is_named(diamond: Trace) -> None:
    gpu = trace(program(DIAMOND), Target.vulkan(), files=False)
    found = compare(diamond, gpu)
    assert found.first is not None
    assert found.first.name == "iree-hal-assign-target-devices"
    assert found.diff(found.first).added == 1
    assert found.options(found.first)[1] == "{targetDevices={vulkan}}"


def test_another_program_says_so(diamond: Trace) -> None:
    other = trace(program(products([(0, 1), (0, 2), (3, 3)], 3, "diamond")), files=False)
    found = compare(diamond, other)
    assert found.inputs_differ
    assert found.first == found.pairs[0]
    assert "the programs differ before any pass" in comparison(found).text


def test_a_failed_compile_is_compared_as_far_as_it_got(diamond: Trace) -> None:
    with pytest.raises(CompileError) as caught:
        trace(program(DIAMOND), Target.TEXT.with_flags("--iree-hal-target-device=x"), files=False)
    partial = caught.value.partial
    if isinstance(partial, Trace) and len(partial):
        assert is_whole(compare(diamond, partial))


def test_scopes_do_not_mix(diamond: Trace) -> None:
    whole = trace(program(DIAMOND), files=False, scope="module")
    with pytest.raises(DumpError, match="the whole module after every pass"):
        compare(diamond, whole)


def test_dumps_alone_do(diamond: Trace, slow: Trace) -> None:
    found = compare(diamond.dump, slow.dump)
    assert found.inputs_differ is None
    assert found.first == compare(diamond, slow).first


def test_the_view(diamond: Trace, slow: Trace) -> None:
    shown = comparison(compare(diamond, slow))
    assert shown.text.startswith("alike after ")
    assert shown.html.count("<tr>") == 13
    assert "alike after all of" in comparison(compare(diamond, diamond)).text
