func.func @both(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %sum = arith.addf %a, %b : tensor<4x8xf32>
  %product = arith.mulf %sum, %b : tensor<4x8xf32>
  return %sum, %product : tensor<4x8xf32>, tensor<4x8xf32>
}
