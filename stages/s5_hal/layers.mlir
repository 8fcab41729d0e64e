func.func @layers(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %h = tensor.empty() : tensor<4x16xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%h : tensor<4x16xf32>) -> tensor<4x16xf32>
  %xw = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%h0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = tensor.empty() : tensor<4x2xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%y : tensor<4x2xf32>) -> tensor<4x2xf32>
  %xwv = linalg.matmul ins(%xw, %v : tensor<4x16xf32>, tensor<16x2xf32>) outs(%y0 : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %xwv : tensor<4x2xf32>
}
