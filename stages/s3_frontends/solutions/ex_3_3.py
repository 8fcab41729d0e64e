"""Properties are no longer in the attribute dictionary: the op has a place for its values."""

answer = """
func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %s = tosa.const_shape values(dense<[3, 2]> : tensor<2xindex>) : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %s : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
"""
