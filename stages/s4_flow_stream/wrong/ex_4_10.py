from stages.s4_flow_stream.fusion import VARIANTS
from stages.s4_flow_stream.solutions.ex_4_10 import answer as _good

wrong = {
    "a program @f(%a, %b) that compiles": _good.replace("tensor.empty(%m, %n)", "tensor.empty(%m)"),
    "it takes 2x3 and 3x5": VARIANTS["product, sum"],
    "a result of 2x5": _good.replace("tensor.dim %b, %c1", "tensor.dim %a, %c1"),
}
