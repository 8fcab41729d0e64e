answer = """
func.func @f(%x: tensor<4x10xf32>, %b: tensor<10xf32>) -> tensor<4x10xf32> {
  TODO
}
"""
