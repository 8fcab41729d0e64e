from stages.s4_flow_stream.fusion import VARIANTS
from stages.s4_flow_stream.solutions.ex_4_2 import answer as _good

wrong = {
    "one dispatch": VARIANTS["product, half of it, double"],
    "shape (64, 64)": VARIANTS["product, sum"],
    "twice the upper half": _good.replace("%a[0, 0]", "%a[32, 0]"),
    "a program with @f that compiles": _good.replace("%h, %b", "%b, %h"),
}
