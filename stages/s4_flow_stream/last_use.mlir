// A value is summed, and then eight numbers of it are replaced: the sum is the last that needs the old one.
func.func @last_use(%a: tensor<64xf32>, %b: tensor<8xf32>) -> (tensor<f32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %twice = arith.addf %a, %a : tensor<64xf32>
  %old = util.optimization_barrier %twice : tensor<64xf32>
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%old : tensor<64xf32>) outs(%init : tensor<f32>) dimensions = [0]
  %new = tensor.insert_slice %b into %old[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  return %sum, %new : tensor<f32>, tensor<64xf32>
}
