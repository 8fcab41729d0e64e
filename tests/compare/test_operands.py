import random
import re

import pytest

from iree_layers.compare.diff import diff

FUNCTION = """\
util.func public @f(%arg0: i32, %arg1: i32) -> i32 {
  %0 = arith.addi %arg0, %arg1 : i32
  %1 = arith.muli %0, %arg1 : i32
  %2:2 = scf.for %arg2 = %0 to %1 step %arg1 iter_args(%arg3 = %1, %arg4 = %0) -> (i32, i32) {
    %5 = arith.addi %arg3, %arg2 : i32
    scf.yield %5, %arg4 : i32, i32
  }
  %3 = arith.subi %2#0, %2#1 : i32
  cf.cond_br %arg0, ^bb1(%3 : i32), ^bb2
^bb1(%4: i32):  // pred: ^bb0
  util.return %4 : i32
^bb2:  // pred: ^bb0
  util.return %0 : i32
}"""


def renamed(text, *pairs):
    """Text with whole names replaced, all at once."""
    table = dict(pairs)
    return re.sub(r"%[\w$.-]+|\^bb\d+", lambda name: table.get(name[0], name[0]), text)


def lines(found):
    """Changed lines after, without indentation."""
    return [
        found.after[k].strip()
        for hunk in found.hunks
        for k in range(hunk.after_start, hunk.after_end)
    ]


def test_a_renaming_is_no_change():
    found = diff(FUNCTION, renamed(FUNCTION, ("%0", "%sum"), ("%1", "%0"), ("%arg3", "%9")))
    assert found.only_renumbering
    assert found.hidden["ssa"] == 5


def test_any_renaming_is_no_change(mlp):
    rng = random.Random(1)
    snapshot = max(mlp.dump, key=lambda s: (s.op == "func.func", s.end - s.body))
    text = mlp.text(snapshot)
    names = sorted(set(re.findall(r"%[\w$.-]+", text)))
    found = diff(text, renamed(text, *zip(names, rng.sample(names, len(names)), strict=True)))
    assert len(names) > 100
    assert found.only_renumbering


def test_another_operand_is_a_change():
    found = diff(FUNCTION, FUNCTION.replace("muli %0, %arg1", "muli %0, %arg0"))
    assert lines(found) == ["%1 = arith.muli %0, %arg0 : i32"]


def test_swapped_operands_are_a_change():
    found = diff(FUNCTION, FUNCTION.replace("subi %2#0, %2#1", "subi %2#1, %2#0"))
    assert lines(found) == ["%3 = arith.subi %2#1, %2#0 : i32"]


@pytest.mark.parametrize("old", ["arith.addi %arg3, %arg2", "scf.yield %5, %arg4", "return %4"])
def test_every_use_is_looked_at(old):
    op, _, name = old.rpartition("%")
    found = diff(FUNCTION, FUNCTION.replace(old, f"{op}%arg0"))
    assert len(lines(found)) == 1, name


def test_a_replaced_op_does_not_make_its_users_changed():
    new = renamed(FUNCTION, ("%0", "%00")).replace("%00 = arith.addi", "%00 = arith.xori")
    assert lines(diff(FUNCTION, new)) == ["%00 = arith.xori %arg0, %arg1 : i32"]


def test_a_use_of_an_inserted_op_is_a_change():
    new = FUNCTION.replace(
        "  %3 = arith.subi %2#0", "  %9 = arith.negi %2#0 : i32\n  %3 = arith.subi %9"
    )
    assert lines(diff(FUNCTION, new)) == [
        "%9 = arith.negi %2#0 : i32",
        "%3 = arith.subi %9, %2#1 : i32",
    ]
    new = FUNCTION.replace("  util.return %0", "  %9 = arith.negi %0 : i32\n  util.return %9")
    assert lines(diff(FUNCTION, new)) == ["%9 = arith.negi %0 : i32", "util.return %9 : i32"]


def test_equal_lines_after_swapped_definitions_are_changed():
    swapped = FUNCTION.replace(
        "  %0 = arith.addi %arg0, %arg1 : i32\n  %1 = arith.muli %0, %arg1 : i32\n",
        "  %1 = arith.addi %arg0, %arg1 : i32\n  %0 = arith.muli %1, %arg1 : i32\n",
    )
    found = lines(diff(FUNCTION, swapped))
    assert any("scf.for" in line for line in found)
    assert "util.return %0 : i32" in found, "the same text, another value"


def test_swapped_targets_of_a_branch_are_a_change():
    old = FUNCTION.replace("^bb1(%3 : i32), ^bb2", "^bb1, ^bb2").replace("^bb1(%4: i32)", "^bb1")
    new = old.replace("^bb1, ^bb2", "^bb2, ^bb1")
    assert lines(diff(old, new)) == ["cf.cond_br %arg0, ^bb2, ^bb1"]


def test_names_begin_anew_in_every_function():
    other = FUNCTION.replace("@f", "@g")
    text = f"{FUNCTION}\n{other}"
    new = f"{renamed(FUNCTION, ('%0', '%7'))}\n{renamed(other, ('%1', '%0'), ('%0', '%1'))}"
    assert diff(text, new).only_renumbering


def test_names_of_an_import_are_its_own():
    old = """\
vm.func private @f(%buffer: !vm.buffer) {
  vm.call @hal.buffer.assert(%buffer) : (!vm.buffer) -> ()
}
vm.import private @hal.buffer.assert(%buffer : !vm.ref<!hal.buffer>)"""
    new = old.replace("f(%buffer", "f(%b").replace("assert(%buffer)", "assert(%b)")
    assert diff(old, new).only_renumbering


def test_loops_that_bind_names_in_brackets():
    old = """\
func.func @f(%arg0: i32) {
  scf.forall (%arg1, %arg2) in (4, 8) {
    %0 = affine.apply affine_map<(d0) -> (d0)>(%arg1)
  }
  scf.forall (%arg1, %arg2) in (4, 8) {
    %0 = affine.apply affine_map<(d0) -> (d0)>(%arg2)
  }
}"""
    head, second = old.rsplit("  scf.forall", 1)
    new = head + "  scf.forall" + renamed(second, ("%arg1", "%arg2"), ("%arg2", "%arg1"))
    assert diff(old, new).only_renumbering
    assert len(lines(diff(old, new.replace("(%arg1)\n  }\n}", "(%arg2)\n  }\n}")))) == 1


REGION = """\
util.func public @f(%arg0: !r, %arg1: !r) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.cmd.execute with(%arg0 as %arg2: !r, %arg1 as %arg3: !r) {
    stream.cmd.dispatch @ex::@v::@fn {
      ro %arg2[%c0 for %c64] : !r{%c64},
      wo %arg3[%c0 for %c64] : !r{%c64}
    }
  } => !stream.timepoint
}"""


def test_a_reference_to_a_symbol_opens_no_scope():
    # seen with 3.13: the operands in the region of a dispatch
    swapped = REGION.replace("ro %arg2[%c0 for %c64]", "ro %arg2[%c64 for %c0]")
    assert lines(diff(REGION, swapped)) == ["ro %arg2[%c64 for %c0] : !r{%c64},"]
    other = REGION.replace("ro %arg2", "ro %x").replace("wo %arg3", "wo %arg2")
    assert diff(REGION, other.replace("%x", "%arg3")).changed
    assert diff(REGION, renamed(REGION, ("%arg2", "%8"), ("%c64", "%c"))).only_renumbering


def test_swapped_targets_of_a_branch_with_other_labels_are_a_change():
    old = """\
func.func @f(%arg0: i1) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  "a"() : () -> ()
^bb2:
  "b"() : () -> ()
}"""
    new = old.replace("^bb1:", "^x:").replace("^bb2:", "^bb1:").replace("^x:", "^bb2:")
    assert lines(diff(old, new)) == ["cf.cond_br %arg0, ^bb1, ^bb2"], "`a` is now the second target"
    both = new.replace("^bb1, ^bb2", "^bb2, ^bb1")
    assert diff(old, both).only_renumbering
