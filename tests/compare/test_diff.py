import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from iree_layers.compare.changes import changes
from iree_layers.compare.diff import diff
from iree_layers.compare.difference import Diff, Hunk, Row
from iree_layers.compare.normalise import ALL, mask
from iree_layers.compare.predecessor import before, ir

TEXT = st.lists(st.sampled_from(["a", "b", "%0 = c", "%1 = c", "}"]), max_size=12).map("\n".join)
LOCATED = """\
module {
  %0 = linalg.fill {tile = 4} ins(%c) loc("m.mlir":1:2)
} loc(#loc)
#loc = loc("m.mlir":0:0)"""
ALIASED = """\
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  "a"() {m = #map} : () -> ()
  "b"() {m = #map1} : () -> ()
}"""


def applied(found: Diff) -> list[str]:
    """The text after, made from the text before and the hunks."""
    lines: list[str] = []
    position = 0
    for hunk in found.hunks:
        lines += found.before[position : hunk.before_start]
        lines += found.after[hunk.after_start : hunk.after_end]
        position = hunk.before_end
    return lines + list(found.before[position:])


@given(TEXT, TEXT)
def test_hunks_turn_one_text_into_the_other(old, new):
    found = diff(old, new, rules=())
    assert applied(found) == new.rstrip("\n").split("\n")
    assert found.identical == (old.rstrip("\n") == new.rstrip("\n"))
    assert not found.only_renumbering


@given(TEXT, TEXT)
def test_counts_are_those_of_the_hunks_and_rows(old, new):
    found = diff(old, new)
    assert found.added == sum(hunk.added for hunk in found.hunks)
    assert found.removed == sum(hunk.removed for hunk in found.hunks)
    rows = list(found.rows())
    assert [row.left for row in rows if row.left] == [*range(1, len(found.before) + 1)]
    assert [row.right for row in rows if row.right] == [*range(1, len(found.after) + 1)]
    both = sum(row.kind == "changed" for row in rows)
    assert found.removed == both + sum(row.kind == "removed" for row in rows)
    assert found.added == both + sum(row.kind == "added" for row in rows)


@given(TEXT, TEXT)
def test_only_renumbering_is_a_difference_of_which_nothing_remains(old, new):
    found = diff(old, new)
    assert found.only_renumbering == (not found.identical and not found.hunks)
    if found.only_renumbering:
        assert mask(old.rstrip("\n")) == mask(new.rstrip("\n"))


def test_an_attribute_beside_a_location_is_seen():
    new = LOCATED.replace("tile = 4", "tile = 8").replace("1:2", "7:9")
    found = diff(LOCATED, new)
    assert found.hunks == (Hunk(1, 2, 1, 2),)
    moved = diff(LOCATED, LOCATED.replace("1:2", "7:9").replace("0:0", "0:1"))
    assert moved.only_renumbering
    assert moved.hidden == {"ssa": 0, "alias": 0, "location": 2, "payload": 0}
    rules = [rule for rule in ALL if rule != "location"]
    assert diff(LOCATED, LOCATED.replace("1:2", "7:9"), rules=rules).added == 1


def test_numbers_of_aliases_do_not_count():
    new = ALIASED.replace("#map1", "#m").replace("#map", "#map1").replace("#m ", "#map ")
    new = new.replace("#m}", "#map}")
    assert new.count("#map1") == 2
    found = diff(ALIASED, new)
    assert found.only_renumbering
    assert found.hidden["alias"] == 4, "two uses, two definitions"
    assert str(found) == "only renumbering (hidden: 4 alias)"
    assert diff(ALIASED, new, rules=("ssa",)).added == 4


def test_another_definition_of_an_alias_shows_where_it_is_used():
    new = ALIASED.replace("(d0, d1) -> (d1)", "(d0, d1) -> (d0)")
    found = diff(ALIASED, new)
    assert (found.added, found.removed) == (1, 1)
    assert found.unified(context=0) == (
        "@@ -5,1 +5,1 @@\n"
        '-  "b"() {m = affine_map<(d0, d1) -> (d1)>} : () -> ()\n'
        '+  "b"() {m = affine_map<(d0, d1) -> (d0)>} : () -> ()'
    )


def test_aliases_swapped_under_equal_lines_are_a_change():
    new = ALIASED.replace("(d0) -> (d0)", "X").replace("(d0, d1) -> (d1)", "(d0) -> (d0)")
    new = new.replace("X", "(d0, d1) -> (d1)")
    found = diff(ALIASED, new)
    assert (found.added, found.removed) == (2, 2), "the same text means something else"
    assert "affine_map<(d0, d1) -> (d1)>" in found.unified()


ELIDED = "%0 = arith.constant dense<__elided__> : tensor<32xf32>"


def test_a_constant_that_is_elided_on_one_side_is_hidden_and_counted():
    found = diff(ELIDED, ELIDED.replace("__elided__", '"0x0000803F"'))
    assert found.only_renumbering
    assert found.hidden["payload"] == 1


def test_a_constant_of_other_contents_is_a_change():
    old = ELIDED.replace("__elided__", '"0x0000803F"')
    new = old.replace("803F", "0040")
    assert diff(old, new).changed
    assert diff(old, new, rules=("ssa",)).changed
    assert not diff(old, new).only_renumbering


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%0 widths", "%1 widths"),
        ("see loc(1)", "see loc(2)"),
        ("to ^bb1", "to ^bb2"),
        ("#map", "#map1"),
    ],
)
def test_no_rule_looks_into_strings(old, new):
    text = 'module {\n  cf.assert %0, "{text}"\n}'
    found = diff(text.replace("{text}", old), text.replace("{text}", new))
    assert (found.added, found.removed) == (1, 1)
    renamed = diff(text.replace("{text}", old), text.replace("{text}", old).replace(" %0,", " %9,"))
    assert renamed.only_renumbering, "a name in a string is no name"


RESOURCES = """\
module {
  "use"() {a = dense_resource<a.f32> : tensor<1xf32>, b = dense_resource<b.f32> : tensor<1xf32>}
}

{-#
  dialect_resources: {
    builtin: {
      a.f32: "0x040000000000803F",
      b.f32: "0x0400000000000040"
    }
  }
#-}"""


def test_the_order_of_resources_does_not_count():
    lines = RESOURCES.split("\n")
    lines[7:9] = [lines[8] + ",", lines[7].rstrip(",")]
    found = diff(RESOURCES, "\n".join(lines))
    assert found.only_renumbering
    assert str(found) == "only renumbering (hidden: 2 payload)"
    assert diff(RESOURCES, "\n".join(lines), rules=()).changed
    assert [row.left for row in found.rows()] == [1, 2, 3, 4]


def test_contents_of_a_resource_count():
    found = diff(RESOURCES, RESOURCES.replace("803F", "8040"))
    assert (found.added, found.removed) == (1, 1)
    assert "8040" in found.unified()


NAMED = """\
#composite_of_64b = #util.composite<64xi8, [
    dense<0> : vector<16xi8>,
    dense<1> : vector<48xi8>,
]>
vm.module public @m {
  vm.rodata private @c <alignment = 64> #composite_of_64b
  vm.rodata private @d "d"
}"""


def test_an_attribute_of_several_lines_under_a_name_or_in_place():
    head, body = NAMED.split("]>\n")
    value = head.split(" = ", 1)[1] + "]>"
    in_place = body.replace("#composite_of_64b", value)
    assert diff(NAMED, in_place).only_renumbering
    assert diff(in_place, NAMED).only_renumbering
    assert [row.left for row in diff(in_place, NAMED).rows()] == [1, 2, 6, 7]
    other = in_place.replace("dense<1>", "dense<2>")
    assert diff(NAMED, other).changed
    assert (diff(in_place, other).added, diff(in_place, other).removed) == (1, 1)


def test_line_ends_and_blank_lines_at_the_end_do_not_count():
    assert diff("a\r\nb\r\n", "a\nb").identical
    assert diff("", "").identical
    assert diff("", "a").added == 1


def test_unified_is_the_usual_form():
    old = "\n".join("abcdefghijklmnop")
    new = old.replace("c", "C").replace("n\n", "")
    assert diff(old, new).unified(context=1) == (
        "@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n@@ -13,3 +13,2 @@\n m\n-n\n o"
    )
    assert diff("a", "a\nb").unified(context=0) == "@@ -1,0 +2,1 @@\n+b"


def test_unified_says_what_it_leaves_out():
    new = "\n".join(f'"op{k}"()' for k in range(100))
    lines = diff("x", new).unified(max_lines=10).split("\n")
    assert len(lines) == 10
    assert lines[-1] == "… 93 more lines (+93 -0)"
    assert len(diff("x", new).unified(max_lines=0).split("\n")) == 102


def test_rows_of_a_small_diff():
    found = diff('%0 = a\n%1 = b %0\n"x"()\n', '%1 = a\n%2 = b %1\n"y"()\n"z"()')
    assert list(found.rows()) == [
        Row(1, 1, "renamed"),
        Row(2, 2, "renamed"),
        Row(3, 3, "changed"),
        Row(None, 4, "added"),
    ]


def pairs(trace):
    return [
        (before(trace, change.index).text, ir(trace.dump, trace.dump[change.index]))
        for change in changes(trace)
        if change.changed
    ]


@given(st.lists(st.integers(0, 3), max_size=12), st.sets(st.integers(0, 11)))
def test_lines_left_out_are_all_that_is_removed(numbers, holes):
    old = [f"%{k} = f {k % 2}" for k in numbers]
    new = [line for k, line in enumerate(old) if k not in holes]
    found = diff("\n".join(["{", *old, "}"]), "\n".join(["{", *new, "}"]), rules=())
    assert (found.added, found.removed) == (0, len(old) - len(new))


def test_minimal_on_real_pairs(mlp_module):
    for old, new in pairs(mlp_module):
        left, right = (mask(text, ("ssa",)) for text in (old, new))
        found = diff(left, right, rules=())
        numbers: dict[str, int] = {}
        sides = [
            [numbers.setdefault(line, len(numbers)) for line in text.rstrip("\n").split("\n")]
            for text in (left, right)
        ]
        common = LCSseq.similarity(*sides)
        assert found.added + found.removed == sum(map(len, sides)) - 2 * common


@pytest.mark.skipif(shutil.which("diff") is None, reason="no diff tool to compare with")
def test_as_short_as_gnu_diff(mlp_module, tmp_path):
    for old, new in pairs(mlp_module)[::10]:
        files = [tmp_path / "before", tmp_path / "after"]
        for file, text in zip(files, (old, new), strict=True):
            file.write_text(mask(text, ("ssa",)).rstrip("\n") + "\n")
        ran = subprocess.run(["diff", "--minimal", *files], capture_output=True, text=True)
        theirs = sum(line[:1] in ("<", ">") for line in ran.stdout.split("\n"))
        found = diff(files[0].read_text(), files[1].read_text(), rules=())
        assert found.added + found.removed == theirs


def test_operands_add_to_what_masks_find(mlp_module):
    masked = full = plain = 0
    for old, new in pairs(mlp_module):
        blank = diff(mask(old, ("ssa",)), mask(new, ("ssa",)), rules=())
        found, raw = diff(old, new, rules=("ssa",)), diff(old, new, rules=())
        assert blank.added + blank.removed <= found.added + found.removed
        masked += blank.added + blank.removed
        full += found.added + found.removed
        plain += raw.added + raw.removed
    assert masked < full < plain


def test_texts_are_short():
    long = "\n".join(f'"op{k}"()' for k in range(500))
    found = diff("", long)
    assert str(found) == repr(found) == "+500 -1 lines in 1 place"
    assert found.unified().count("\n") < 40
