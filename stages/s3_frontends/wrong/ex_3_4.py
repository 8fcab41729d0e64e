from stages.s3_frontends.failures import FAILURES
from stages.s3_frontends.solutions.ex_3_4 import answer as _good

wrong = {
    "it is gone": _good.replace("onnx.Unsqueeze", "onnx.Reshape"),
    "failed to legalize": FAILURES["an old ONNX op"],
    "shape (4, 1)": _good.replace("dense<0>", "dense<1>").replace("[1,4]", "[4,1]"),
}
