from stages.s1_mlir_basics.solutions.ex_1_6 import answer as _good

_REDUCE = """
func.func @rows(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%zero : tensor<4xf32>)
      dimensions = [1]
  return %0 : tensor<4xf32>
}
"""

wrong = {
    "another way": _REDUCE,
    "where the sum starts": _good.replace("0.0 : f32", "1.0 : f32"),
    "a program that compiles": _good.replace('"parallel", "reduction"', '"parallel"'),
    "a result of shape (8,)": _good.replace("-> (i)>", "-> (j)>")
    .replace('"parallel", "reduction"', '"reduction", "parallel"')
    .replace("tensor<4xf32>", "tensor<8xf32>"),
}
