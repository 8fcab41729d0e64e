"""The second matmul reads whole rows of the first result, so it starts a dispatch of its own."""

answer = """
func.func @two(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>)
    outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<4x16xf32>
  %relu = arith.maximumf %mm, %zeros : tensor<4x16xf32>
  %empty2 = tensor.empty() : tensor<4x2xf32>
  %init2 = linalg.fill ins(%zero : f32) outs(%empty2 : tensor<4x2xf32>) -> tensor<4x2xf32>
  %out = linalg.matmul ins(%relu, %v : tensor<4x16xf32>, tensor<16x2xf32>)
    outs(%init2 : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %out : tensor<4x2xf32>
}
"""
