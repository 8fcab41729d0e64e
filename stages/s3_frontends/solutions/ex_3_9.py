"""dims says to which dimensions of the result those of the operand go: 0 → 1."""

answer = """
func.func @f(%x: tensor<4x10xf32>, %b: tensor<10xf32>) -> tensor<4x10xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<10xf32>) -> tensor<4x10xf32>
  %1 = stablehlo.add %x, %0 : tensor<4x10xf32>
  return %1 : tensor<4x10xf32>
}
"""
