"""Cut first: half of the rows of a give half of the rows of the product."""

answer = """
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>)
    -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x64xf32>) -> tensor<32x64xf32>
  %h = tensor.extract_slice %a[0, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
  %p = linalg.matmul ins(%h, %b : tensor<32x64xf32>, tensor<64x64xf32>)
      outs(%init : tensor<32x64xf32>) -> tensor<32x64xf32>
  %d = arith.addf %p, %p : tensor<32x64xf32>
  return %d : tensor<32x64xf32>
}
"""
