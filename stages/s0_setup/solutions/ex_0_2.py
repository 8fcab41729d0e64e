"""The dialect of the arithmetic is arith; one line per operation, each with its type."""

answer = """
func.func @square_plus(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %square = arith.mulf %x, %x : tensor<8xf32>
  %sum = arith.addf %square, %y : tensor<8xf32>
  return %sum : tensor<8xf32>
}
"""
