import re

from iree_layers.compare.find import find


def test_first_and_last(mlp):
    found = find(mlp, "linalg.matmul")
    assert found.first.index == 0
    assert found.first.layer == "input"
    assert "linalg.matmul" in found.first.text
    assert mlp.text(found.first.index).split("\n")[found.first.line - 1] == found.first.text
    assert found.last.layer == "executable-targets"
    assert all("linalg.matmul" not in mlp.text(k) for k in range(found.last.index + 1, len(mlp)))


def test_text_and_expression_agree(mlp):
    text, expression = find(mlp, "vector.fma"), find(mlp, re.compile(r"vector\.fma"))
    assert [(hit.index, hit.count) for hit in text.hits] == [
        (hit.index, hit.count) for hit in expression.hits
    ]
    assert len(text) > 10


def test_text_is_taken_as_it_is(mlp):
    assert not find(mlp, "linalg.m.tmul").hits
    assert find(mlp, re.compile("linalg.m.tmul")).hits


def test_counts(mlp):
    for hit in find(mlp, "llvm.fmul").hits[:3]:
        assert hit.count == mlp.text(hit.index).count("llvm.fmul")


def test_nothing(mlp):
    found = find(mlp, "no such op")
    assert (found.first, found.last, len(found)) == (None, None, 0)
    assert str(found) == f"'no such op': in 0 of {len(mlp)} snapshots"


def test_text_shows_the_last_one_too(mlp):
    found = find(mlp, "linalg.matmul")
    lines = str(found).split("\n")
    assert len(lines) == 40
    assert lines[-1] == str(found.last)
    assert lines[-2] == f"… {len(found) - 38 + 1 - 1} more snapshots"
