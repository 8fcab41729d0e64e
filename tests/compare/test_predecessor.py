from collections import Counter

import pytest

from iree_layers.compare.changes import changes
from iree_layers.compare.diff import diff
from iree_layers.compare.normalise import expand
from iree_layers.compare.predecessor import before, ir, origins
from iree_layers.dump.dump import Dump
from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import MemorySource


def dump_of(data: bytes) -> Dump:
    return assign(index(MemorySource(data)))


FLOOR = 0.99
"""Share of passes whose IR before must be right; the rest runs inside an unfinished pass."""


@pytest.fixture(scope="module")
def after_only(mlp_both):
    """The same run as if it had been made without --mlir-print-ir-before-all."""
    dump = mlp_both.dump
    return dump_of(b"".join(dump.raw(s) for s in dump if s.header.when == "After"))


@pytest.fixture(scope="module")
def truth(mlp_both):
    """For every After: the text of its Before, and how many snapshots lie between them."""
    found, open_passes, number = [], [], 0
    for snapshot in mlp_both.dump:
        if snapshot.header.when == "Before":
            open_passes.append((snapshot, number))
        else:
            start, then = open_passes.pop()
            assert start.header.argument == snapshot.header.argument
            found.append((ir(mlp_both.dump, start), number - then))
            number += 1
    return found


def same(old, new):
    """Equal but for how aliases are spelled."""
    return not diff(old, new, rules=("alias",)).hunks


def test_it_is_the_ir_before(after_only, truth):
    assert len(after_only) == len(truth) > 700
    outcome = Counter()
    for position, (text, inner) in enumerate(truth):
        if not inner:
            found = before(after_only, position)
            outcome[found.how, same(found.text, text)] += 1
    right = sum(count for (_, equal), count in outcome.items() if equal)
    assert right / outcome.total() >= FLOOR, outcome
    assert outcome["inside enclosing op", True] > 100
    assert outcome["inside enclosing op", False] == 0


def test_a_pass_that_runs_others_is_not_blamed_for_them(after_only, truth):
    mine = theirs = 0
    for position, (text, inner) in enumerate(truth):
        if inner and after_only[position].name == "iree-op-pipeline-adaptor":
            new = ir(after_only, after_only[position])
            mine += diff(before(after_only, position).text, new).changed
            theirs += diff(text, new).changed
    assert theirs > 20, "compared with what stood before them, most adaptors change much"
    assert mine < theirs / 2


def test_what_was_put_together_is_said(after_only):
    known = origins(after_only)
    whole = [
        position
        for position, origin in enumerate(known)
        if origin.inner and after_only[position].op == "module"
    ]
    assert whole
    found = before(after_only, whole[-1])
    assert f"with the results of {found.inner} inner snapshots" in str(found)


def test_a_printed_before_is_used(mlp_both):
    for position, snapshot in enumerate(mlp_both.dump[1:], start=1):
        last = mlp_both.dump[position - 1]
        if snapshot.header.when == "After" and last.header.when == "Before":
            found = before(mlp_both, position)
            assert found.how == "printed before"
            assert found.from_index == position - 1
            assert found.text == ir(mlp_both.dump, last)


def test_module_scope_is_the_snapshot_before(mlp_module):
    assert before(mlp_module, 0).how == "none"
    assert before(mlp_module, 0).text == ""
    for position in range(1, len(mlp_module)):
        found = before(mlp_module, position)
        assert (found.from_index, found.how) == (position - 1, "same op")
    assert found.text == ir(mlp_module.dump, mlp_module.dump[position - 1])


def test_the_first_snapshot_has_nothing_before(mlp):
    assert before(mlp, 0).from_index is None
    assert str(before(mlp, 0)).startswith("nothing before")


def test_negative_index_counts_from_the_end(mlp):
    assert before(mlp, -1) == before(mlp, len(mlp) - 1)


def test_an_op_is_cut_out_of_the_one_around_it(mlp):
    inside = [
        position
        for position, origin in enumerate(origins(mlp))
        if origin.how == "inside enclosing op" and mlp.dump[position].op == "func.func"
    ]
    found = before(mlp, inside[0])
    assert found.text.startswith("func.func @")
    assert found.text.endswith("\n}")
    assert "#map" not in found.text, "aliases are spelled out, as the compiler prints it"


EXECUTABLES = b"""\
// -----// IR Dump After A: a //----- //
#map = affine_map<(d0) -> (d0)>
module {
  hal.executable private @x {
    hal.executable.variant public @v target(<"llvm-cpu">) {
      hal.executable.export public @x_f ordinal(0)
      builtin.module {
        func.func @x_f() {
          "one"() {m = #map} : () -> ()
        }
      }
    }
  }
  hal.executable private @y {
    hal.executable.variant public @v target(<"llvm-cpu">) {
      hal.executable.export public @y_f ordinal(0)
      builtin.module {
        func.func @y_f() {
          "two"() : () -> ()
        }
      }
    }
  }
}

// -----// IR Dump After B: b //----- //
module {
  func.func @y_f() {
    "three"() : () -> ()
  }
}

// -----// IR Dump After C: c //----- //
func.func @x_f() {
  "four"() : () -> ()
}

// -----// IR Dump After D: d //----- //
hal.executable.variant public @v target(<"llvm-cpu">) {
  hal.executable.export public @y_f ordinal(0)
  builtin.module {
    func.func @y_f() {
      "five"() : () -> ()
    }
  }
}

// -----// IR Dump After E: e //----- //
#map = affine_map<(d0) -> (d0)>
module {
  hal.executable private @x {
  }
}
"""


def test_ops_of_equal_name_in_two_executables():
    dump = dump_of(EXECUTABLES)
    assert before(dump, 1).text == 'module {\n  func.func @y_f() {\n    "two"() : () -> ()\n  }\n}'
    assert before(dump, 1).how == "inside enclosing op"
    assert before(dump, 2).text == (
        'func.func @x_f() {\n  "one"() {m = affine_map<(d0) -> (d0)>} : () -> ()\n}'
    )
    variant = before(dump, 3)
    assert '"three"' in variant.text
    assert "@y_f" in variant.text
    assert "    builtin.module {".strip() in variant.text
    whole = before(dump, 4)
    assert '          "four"() : () -> ()' in whole.text.split("\n")
    assert '          "five"() : () -> ()' in whole.text.split("\n")
    assert whole.inner == 3


INITIALIZERS = b"""\
// -----// IR Dump After A: a //----- //
module {
  util.initializer {
    "one"() : () -> ()
  }
  util.initializer {
    "two"() : () -> ()
  }
}

// -----// IR Dump After B: b //----- //
util.initializer {
  "one"() : () -> ()
}

// -----// IR Dump After C: c //----- //
util.initializer {
  "three"() : () -> ()
}

// -----// IR Dump After B: b //----- //
util.initializer {
  "four"() : () -> ()
}

// -----// IR Dump After C: c //----- //
util.initializer {
  "five"() : () -> ()
}
"""


def test_ops_without_a_symbol_are_told_apart_by_their_order():
    dump = dump_of(INITIALIZERS)
    words = [before(dump, k).text.split('"')[1] for k in range(1, 5)]
    assert words == ["one", "one", "two", "four"]


def test_an_op_that_no_module_has_shown():
    first = INITIALIZERS.index(b"// -----// IR Dump After B")
    dump = dump_of(INITIALIZERS[first:])
    assert [before(dump, k).how for k in (0, 1)] == ["none", "same op"]
    assert '"one"' in before(dump, 1).text


def test_a_dump_without_ir_does_not_break():
    dump = dump_of(b"// -----// IR Dump After A: a //----- //\n// -----// nothing\n")
    assert [origin.how for origin in origins(dump)] == ["none"]
    assert not changes(dump)[0].changed


def test_expanded_text_parses_alone(mlp):
    position = next(k for k, o in enumerate(origins(mlp)) if o.how == "inside enclosing op")
    text = before(mlp, position).text
    assert expand(text) == text


COMPOSITE = b"""\
// -----// IR Dump After A: a //----- //
#composite_of_64b = #util.composite<64xi8, [
    dense<0> : vector<16xi8>,
    dense<1> : vector<48xi8>,
]>
module {
  util.initializer {
    %buffer_cst = util.buffer.constant : !util.buffer = #composite_of_64b
    "one"() : () -> ()
  }
}

// -----// IR Dump After B: b //----- //
util.initializer {
  %buffer_cst = util.buffer.constant : !util.buffer = #util.composite<64xi8, [
    dense<0> : vector<16xi8>,
    dense<1> : vector<48xi8>,
]>
  "one"() : () -> ()
}

// -----// IR Dump After C: c //----- //
#composite_of_64b = #util.composite<64xi8, [
    dense<0> : vector<16xi8>,
    dense<1> : vector<48xi8>,
]>
module {
  util.initializer {
    %buffer_cst = util.buffer.constant : !util.buffer = #composite_of_64b
    "one"() : () -> ()
  }
}
"""


def test_an_attribute_of_several_lines_is_no_change():
    dump = dump_of(COMPOSITE)
    assert before(dump, 1).text == ir(dump, dump[1]), "as the compiler prints it, column for column"
    assert not diff(before(dump, 2).text, ir(dump, dump[2])).hunks
    assert not any(change.changed for change in changes(dump))


def test_a_part_of_a_dump_does_not_claim_that_it_has_all_passes(mlp):
    part = mlp.dump.only("@mlp")
    found = {before(part, k).how for k in range(len(part))}
    assert "last kept" in found
    assert "same op" not in found
    assert "last kept" not in {origin.how for origin in origins(mlp)}
