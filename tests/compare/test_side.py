from iree_layers.compare.normalise import ALL
from iree_layers.compare.side import lines_of, sides

TEXT = """\
#map = affine_map<(d0) -> (d0)>
module {
  "f"() {m = #map} : () -> ()
} loc(#loc)
#loc = loc("m.mlir":1:1)"""


def test_lines_of_a_text():
    assert lines_of("a\r\nb\n\n") == ["a", "b"]
    assert lines_of("") == [""]


def test_definitions_take_no_part():
    old, new = sides(lines_of(TEXT), lines_of("module {\n}"), ALL)
    assert old.left_out == {0, 4}
    assert old.work == lines_of(TEXT)[1:4]
    assert old.place(0, 3) == (1, 4)
    assert old.place(0, 0) == (1, 1)
    assert old.place(3, 3) == (5, 5)
    assert old.masked(old.work, ALL)[1] == '  "f"() {m = affine_map<(d0) -> (d0)>} : () -> ()'
    assert new.at is None
    assert new.place(0, 2) == (0, 2)


def test_without_rules_every_line_does():
    old, _ = sides(lines_of(TEXT), [""], ())
    assert old.work == lines_of(TEXT)
    assert not old.left_out
