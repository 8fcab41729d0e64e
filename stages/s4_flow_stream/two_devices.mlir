// One product on @dev_a, one on @dev_b, and back.
func.func @two(
    %a: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>},
    %b: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %left = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %there = flow.tensor.transfer %left : tensor<64x64xf32> to #hal.device.promise<@dev_b>
  %right = linalg.matmul ins(%there, %there : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %back = flow.tensor.transfer %right : tensor<64x64xf32> to #hal.device.promise<@dev_a>
  return %back : tensor<64x64xf32>
}
