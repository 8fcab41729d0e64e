"""Since opset 13 the axes are a second operand."""

answer = """
func.func @f(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],f32>
    attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %axes = torch.vtensor.literal(dense<0> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  %0 = torch.operator "onnx.Unsqueeze"(%x, %axes)
      : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,4],f32>
  return %0 : !torch.vtensor<[1,4],f32>
}
"""
