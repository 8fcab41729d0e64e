"""Programs that do not get in, one for each usual reason."""

from __future__ import annotations

__all__ = ["FAILURES"]

FAILURES = {
    "an old ONNX op": """func.func @f(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],f32>
    attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %0 = torch.operator "onnx.Unsqueeze"(%x) {torch.onnx.axes = [0 : si64]}
      : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],f32>
  return %0 : !torch.vtensor<[1,4],f32>
}
""",
    "an If whose branches differ in rank": """func.func @f(
    %c: !torch.vtensor<[],i1>, %x: !torch.vtensor<[4],f32>)
    -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[],f32> {
    %1 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    torch.operator_terminator %1 : !torch.vtensor<[4],f32>
  }, {
    %1 = torch.operator "onnx.ReduceMax"(%x) {torch.onnx.keepdims = 0 : si64}
        : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[],f32>
    torch.operator_terminator %1 : !torch.vtensor<[],f32>
  }
  return %0 : !torch.vtensor<[],f32>
}
""",
    "a dynamic reshape": """func.func @f(%x: tensor<?x4xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""",
    "a call into LAPACK": """func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "text of another version": """func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %s = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %s : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
""",
    "an op that nobody knows": """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "toy.twice"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
""",
}
