from stages.s2_pipeline.solutions.ex_2_4 import answer as _good

_ONE = """
func.func @two(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x2xf32>) -> tensor<4x2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x2xf32>
  %half = tensor.extract_slice %v[0, 0] [4, 2] [1, 1] : tensor<16x2xf32> to tensor<4x2xf32>
  %sum = arith.maximumf %half, %zeros : tensor<4x2xf32>
  return %sum : tensor<4x2xf32>
}
"""

_LAST = _good.replace("%relu, %v", "%mm, %v").replace(
    "  return %out",
    """\
  %last = arith.constant dense<0.0> : tensor<4x2xf32>
  %end = arith.maximumf %out, %last : tensor<4x2xf32>
  return %end""",
)

wrong = {
    "the relu comes last": _LAST,
    "other numbers: differ: 4x2 f32": _good.replace("dense<0.0>", "dense<1.0>"),
    "neither an existing file nor MLIR": "relu(x·w)·v",
    "expected SSA operand": _good.replace("%out : tensor", "%out, : tensor"),
    "no relu": _good.replace("arith.maximumf %mm, %zeros", "arith.addf %mm, %zeros"),
    "a module without it": _good.replace("@two", "@three"),
    "expects different type": _good.replace("tensor<16x2xf32>)\n", "tensor<16x3xf32>)\n", 1),
    "1 in the phase stream": _ONE,
}
