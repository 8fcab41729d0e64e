// A dense layer: product, bias, relu.
func.func @dense(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %xw = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %bb = linalg.broadcast ins(%b : tensor<64xf32>) outs(%empty : tensor<64x64xf32>) dimensions = [0]
  %y = arith.addf %xw, %bb : tensor<64x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = arith.maximumf %y, %zeros : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
