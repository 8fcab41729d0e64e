"""Code that may die, in a process of its own: this one must live, and say how the other ended."""

from __future__ import annotations

import time

import pytest

from iree_layers.errors import LayersError
from iree_layers.execute.child import child


def test_code_runs_to_its_end() -> None:
    ran = child("print(1 + 1)")
    assert (ran.ok, ran.exit, ran.stdout, ran.stderr) == (True, 0, "2\n", "")
    assert str(ran) == "2\n[the child ran to its end]"


def test_a_function_is_sent_by_its_source() -> None:
    def fifth() -> int:
        import math

        return math.comb(5, 1)

    assert child(fifth).stdout == "5\n"


def test_what_an_eraser_kills_is_the_child_alone() -> None:
    def erase() -> None:
        from iree.compiler import ir

        with ir.Context():
            module = ir.Module.parse(
                "func.func @f(%a: f32) -> f32 {\n  %0 = arith.negf %a : f32\n  return %0 : f32\n}"
            )
            body = module.body.operations[0].regions[0].blocks[0]
            print("erasing an op that is still used")
            body.operations[0].operation.erase()
            print(module)

    died = child(erase)
    assert not died.ok
    assert died.signal in ("SIGSEGV", "SIGABRT")
    assert f"[the child was killed by {died.signal}; this process lives]" in str(died)


def test_an_exception_is_shown_and_not_raised() -> None:
    ended = child("raise ValueError('mine')")
    assert (ended.exit, ended.signal) == (1, "")
    assert "ValueError: mine" in str(ended)
    assert 'File "child.py", line 1' in ended.stderr


def test_what_does_not_end_is_ended() -> None:
    began = time.monotonic()
    late = child("import time; time.sleep(60)", timeout=0.3)
    assert late.late
    assert not late.ok
    assert time.monotonic() - began < 30
    assert "its time was over" in str(late)


def test_long_output_is_cut_and_counted() -> None:
    assert str(child("print('x\\n' * 40)")).startswith("… 28 lines before\nx\n")


@pytest.mark.parametrize(("what", "says"), [(print, "source"), (lambda x: x, "needs x")])
def test_what_cannot_be_sent_is_refused(what: object, says: str) -> None:
    with pytest.raises(LayersError, match=says):
        child(what)  # type: ignore[arg-type]
