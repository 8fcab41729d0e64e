// The same update of a value that nobody else needs.
func.func @inplace(%a: tensor<64xf32>, %b: tensor<8xf32>) -> tensor<64xf32> {
  %double = arith.addf %a, %a : tensor<64xf32>
  %new = tensor.insert_slice %b into %double[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  return %new : tensor<64xf32>
}
