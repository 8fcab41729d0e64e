func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x32xf32>) -> (tensor<4x32xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%i : tensor<4x16xf32>) -> tensor<4x16xf32>
  %e2 = tensor.empty() : tensor<4x32xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %m2 = linalg.matmul ins(%m, %v : tensor<4x16xf32>, tensor<16x32xf32>) outs(%i2 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %e3 = tensor.empty() : tensor<4xf32>
  %i3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce ins(%m2 : tensor<4x32xf32>) outs(%i3 : tensor<4xf32>) dimensions = [1] (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32  linalg.yield %s : f32 }
  return %m2, %r : tensor<4x32xf32>, tensor<4xf32>
}
