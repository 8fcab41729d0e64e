// The first half runs on one device, the second on another.
func.func @pair(%a: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})
    -> (tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
  %s = arith.addf %a, %a : tensor<4xf32>
  %t = flow.tensor.transfer %s : tensor<4xf32> to #hal.device.promise<@dev_b>
  %u = arith.mulf %t, %t : tensor<4xf32>
  %v = flow.tensor.transfer %u : tensor<4xf32> to #hal.device.promise<@dev_a>
  return %v : tensor<4xf32>
}
