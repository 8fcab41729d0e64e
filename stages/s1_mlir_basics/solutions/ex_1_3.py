"""A constant of the other size, two lines swapped, a yield, and the predicate as a property."""

from stages.s1_mlir_basics.broken import BROKEN

_LATE = "  %0 = arith.minimumf %1, %b : f32\n"
_ABOVE = "  %1 = arith.maximumf %a, %b : f32\n"

answer = {
    "type": BROKEN["type"].replace("tensor<5xf32>", "tensor<4xf32>"),
    "dominance": BROKEN["dominance"].replace(_LATE + _ABOVE, _ABOVE + _LATE),
    "terminator": BROKEN["terminator"].replace(
        "    %2 = arith.subf %a, %b : f32\n",
        "    %2 = arith.subf %a, %b : f32\n    scf.yield %2 : f32\n",
    ),
    "property": BROKEN["property"].replace("(%a, %b) :", "(%a, %b) <{predicate = 4 : i64}> :"),
}
