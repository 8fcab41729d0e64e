func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = arith.addf %a, %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @g(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = arith.mulf %a, %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
