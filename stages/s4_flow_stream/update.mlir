// Eight numbers are written into %a, and the old %a is still needed.
func.func @update(%a: tensor<64xf32>, %b: tensor<8xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %new = tensor.insert_slice %b into %a[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  %sum = arith.addf %a, %new : tensor<64xf32>
  return %new, %sum : tensor<64xf32>, tensor<64xf32>
}
