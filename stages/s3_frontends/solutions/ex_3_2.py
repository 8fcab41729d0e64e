"""With fixed shapes the op without `dynamic_` is enough, and its shape is in the type."""

answer = """
func.func @f(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
