"""Both operands are transferred, so that nothing is left to decide."""

answer = """
func.func @f(
    %a: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>},
    %b: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %left = flow.tensor.transfer %ab : tensor<64x64xf32> to #hal.device.promise<@dev_b>
  %right = flow.tensor.transfer %b : tensor<64x64xf32> to #hal.device.promise<@dev_b>
  %abb = linalg.matmul ins(%left, %right : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %back = flow.tensor.transfer %abb : tensor<64x64xf32> to #hal.device.promise<@dev_a>
  return %back : tensor<64x64xf32>
}
"""
