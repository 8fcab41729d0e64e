from stages.s3_frontends.solutions.ex_3_2 import answer as _good

_OPEN = """
func.func @f(%x: tensor<?x4xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""

wrong = {
    "another dialect": "func.func @f(%x: f32) -> f32 { return %x : f32 }",
    "failed to legalize": _OPEN,
    "shape (4, 2)": _good.replace("tensor<8xf32>", "tensor<4x2xf32>"),
}
