func.func @axpb(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %product = arith.mulf %x, %two : tensor<4xf32>
  %sum = arith.addf %product, %one : tensor<4xf32>
  return %sum : tensor<4xf32>
}
