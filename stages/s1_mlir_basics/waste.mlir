func.func @waste(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<2.0> : tensor<4xf32>
  %d = arith.constant dense<2.0> : tensor<4xf32>
  %dead = arith.mulf %c, %d : tensor<4xf32>
  %0 = arith.addf %x, %c : tensor<4xf32>
  %1 = arith.addf %x, %d : tensor<4xf32>
  %2 = arith.mulf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
