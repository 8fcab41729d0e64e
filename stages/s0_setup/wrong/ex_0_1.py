_GOOD = """
func.func @square_plus(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %square = arith.mulf %x, %x : tensor<8xf32>
  %sum = arith.addf %square, %y : tensor<8xf32>
  return %sum : tensor<8xf32>
}
"""

wrong = {
    "other numbers": _GOOD.replace("mulf %x, %x", "mulf %x, %y"),
    "no function": _GOOD.replace("@square_plus", "@square"),
    "argument 0": _GOOD.replace("8x", "4x"),
    "is unknown": _GOOD.replace("arith.mulf", "arith.mul"),
}
