from stages.s1_mlir_basics.broken import BROKEN
from stages.s1_mlir_basics.solutions.ex_1_3 import answer as _good

_EMPTY = "func.func @less(%a: f32, %b: f32) -> i1 {\n  %0 = ub.poison : i1\n  return %0 : i1\n}\n"

wrong = {
    "a dict with type": list(_good.values()),
    "property: arith.cmpf is gone": {**_good, "property": _EMPTY},
    "property: error": {**_good, "property": BROKEN["property"]},
    "type: @half(tensor<5xf32>)": {
        **_good,
        "type": BROKEN["type"].replace("tensor<4xf32>", "tensor<5xf32>"),
    },
    "dominance: error": {
        **_good,
        "dominance": BROKEN["dominance"].replace("%0 = arith.min", "%0="),
    },
}
