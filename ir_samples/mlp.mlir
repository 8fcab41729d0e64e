func.func @mlp(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %bb = linalg.broadcast ins(%b : tensor<16xf32>) outs(%empty : tensor<4x16xf32>) dimensions = [0]
  %sum = arith.addf %mm, %bb : tensor<4x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<4x16xf32>
  %relu = arith.maximumf %sum, %zeros : tensor<4x16xf32>
  return %relu : tensor<4x16xf32>
}
