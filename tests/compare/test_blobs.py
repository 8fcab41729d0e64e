import pytest

from iree_layers.compare.blobs import (
    continued,
    one_line,
    resource_section,
    resources,
    strings,
    without_strings,
)

COMPOSITE = """\
  %b = util.buffer.constant : !util.buffer = #util.composite<64xi8, [
    dense<0> : vector<16xi8>,
    dense<1> : vector<48xi8>,
]>
  %c = arith.constant 0 : index""".split("\n")
SECTION = """\
module {
}

{-#
  dialect_resources: {
    builtin: {
      "a b": "0x04000000",
      c.f32_1: "0x0400000000000040"
    }
  }
#-}""".split("\n")


def test_an_attribute_of_several_lines():
    assert list(continued(COMPOSITE)) == [(0, 4)]
    assert one_line(COMPOSITE[:4]) == (
        "  %b = util.buffer.constant : !util.buffer = #util.composite<64xi8, ["
        " dense<0> : vector<16xi8>, dense<1> : vector<48xi8>, ]>"
    )


@pytest.mark.parametrize("last", ["]> {", "  ]>"])
def test_it_may_end_further_right_or_go_on(last):
    assert list(continued([*COMPOSITE[:3], last])) == [(0, 4)]


def test_one_that_does_not_end_is_left_alone():
    assert list(continued(COMPOSITE[:3])) == []
    assert list(continued([COMPOSITE[0], "}"])) == []


def test_operands_of_several_lines_are_something_else():
    assert list(continued(["  hal.f<%x : !y> bindings([", "    (%a : !b)[%c]", "  ])"])) == []


def test_resources_by_name():
    assert resource_section(SECTION) == range(3, 11)
    assert resources(SECTION) == {
        '"a b"': (6, '"0x04000000"'),
        "c.f32_1": (7, '"0x0400000000000040"'),
    }


@pytest.mark.parametrize("lines", [[], [""], SECTION[:3], SECTION[:-1], ["#-}"]])
def test_no_resources(lines):
    assert len(resource_section(lines)) == 0
    assert resources(lines) == {}


def test_strings_of_a_line():
    line = r'"a"(%0) {b = "c \22d\22", e = "", f = @"g h"}'
    assert strings(line) == ['"a"', r'"c \22d\22"', '""', '"g h"']
    assert without_strings(line) == '""(%0) {b = "", e = "", f = @""}'
