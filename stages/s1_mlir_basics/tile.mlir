func.func @tile(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>, %out: tensor<4x16xf32>)
    -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x16xf32>) -> tensor<4x16xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>)
      -> tensor<4x16xf32>
  %relu = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<16xf32>) outs(%mm : tensor<4x16xf32>) {
  ^bb0(%bias: f32, %sum: f32):
    %0 = arith.addf %sum, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  return %relu : tensor<4x16xf32>
}
