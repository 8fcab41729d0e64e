_GOOD = """
func.func @square_plus(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %square = arith.mulf %x, %x : tensor<8xf32>
  %sum = arith.addf %square, %y : tensor<8xf32>
  return %sum : tensor<8xf32>
}
"""

wrong = {
    "at place 0": _GOOD.replace("mulf %x, %x", "mulf %x, %y"),
    "the functions are square": _GOOD.replace("@square_plus", "@square"),
    "square_plus(4xf32, 4xf32)": _GOOD.replace("8x", "4x"),
    "square_plus(?xf32, ?xf32)": _GOOD.replace("8x", "?x"),
    "f64": _GOOD.replace("f32", "f64"),
    "no function is public": _GOOD.replace("func.func @", "func.func private @"),
    "neither an existing file nor MLIR": "x * x + y",
    "is unknown": _GOOD.replace("arith.mulf", "arith.mul"),
}
