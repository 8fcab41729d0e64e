util.global private @w = dense<[[1.0,2.0],[3.0,4.0]]> : tensor<2x2xf32>
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = util.global.load @w : tensor<2x2xf32>
  %c = arith.constant dense<[[1.5,2.0],[3.0,4.0]]> : tensor<2x2xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.matmul ins(%w, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = arith.addf %x, %m : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
