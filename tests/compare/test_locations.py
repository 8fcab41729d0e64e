import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.compare.locations import Quotes, mask_locations


@pytest.mark.parametrize(
    ("text", "left", "count"),
    [
        ('"f"() : () -> () loc("m.mlir":1:2)', '"f"() : () -> ()', 1),
        ('f loc(callsite("a)"("m":3:5) at #loc2)) {', "f {", 1),
        ("f(%a: i32 loc(#loc3), %b: i32 loc(#loc4)) loc(#loc)", "f(%a: i32, %b: i32)", 3),
        ('f {s = "see loc(1)"} loc(#loc)', 'f {s = "see loc(1)"}', 1),
        ("f loc(unknown", "f loc(unknown", 0),
        ('a "\nb loc(#loc)', 'a "\nb', 1),
        ("", "", 0),
    ],
)
def test_what_is_left(text, left, count):
    assert mask_locations(text) == (left, count)


@given(st.text(st.sampled_from('a"\n '), max_size=30), st.lists(st.integers(0, 29), max_size=6))
def test_quotes_are_those_of_the_line(text, places):
    quotes = Quotes(text)
    for place in sorted(min(place, len(text)) for place in places):
        line = text[:place].rpartition("\n")[2]
        assert quotes.around(place) == (line.count('"') % 2 == 1)
