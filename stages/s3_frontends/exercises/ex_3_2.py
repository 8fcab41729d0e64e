answer = """
func.func @f(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %s = stablehlo.constant dense<8> : tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<8xf32>
  TODO
}
"""
