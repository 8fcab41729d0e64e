from __future__ import annotations

import pytest

from iree_layers.dump.steps import opt
from iree_layers.errors import CompileError, LayersError
from iree_layers.show import steps

TEXT = "func.func @f(%x: f32) -> f32 {\n %0 = arith.addf %x, %x : f32\n return %x : f32\n}\n"


def test_one_row_for_each_pass() -> None:
    lines = str(steps(opt(TEXT, "builtin.module(func.func(cse),canonicalize)"))).splitlines()
    assert lines[0] == "2 passes, 1 changed the IR"
    assert lines[3].split() == ["0", "cse", "func.func", "@f", "+0", "−1", "func", "2"]
    assert lines[4].split() == ["1", "canonicalize", "builtin.module", "·", "func", "2"]


def test_new_dialects_have_a_plus() -> None:
    loop = (
        "func.func @f(%n: index) {\n %c0 = arith.constant 0 : index\n"
        " %c1 = arith.constant 1 : index\n scf.for %i = %c0 to %n step %c1 {\n"
        " func.call @g() : () -> ()\n }\n return\n}\nfunc.func private @g()\n"
    )
    rows = str(steps(opt(loop, "builtin.module(cse,convert-scf-to-cf)"))).splitlines()
    assert "+cf 3" in rows[-1]
    assert "scf" not in rows[-1].partition("convert-scf-to-cf")[2]


def test_snapshots_before_a_pass_are_no_rows() -> None:
    assert str(steps(opt(TEXT, "builtin.module(cse)", before=True))).startswith("1 pass, 1 changed")


def test_a_failed_pass_says_so() -> None:
    with pytest.raises(CompileError) as caught:
        opt(TEXT, "builtin.module(cse,func.func(symbol-dce))")
    assert " failed " in str(steps(caught.value.partial)).splitlines()[-1]


def test_what_has_no_steps_is_said() -> None:
    with pytest.raises(LayersError, match="a str has no steps"):
        steps(TEXT)
