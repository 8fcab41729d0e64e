// One function for each kind of value that goes into and comes out of a module.
module @many {
  func.func @mlp(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x16xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>)
                       outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
    return %r : tensor<4x16xf32>
  }
  func.func @double(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
    %r = arith.addf %x, %x : tensor<?x2xf32>
    return %r : tensor<?x2xf32>
  }
  func.func @two(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>) {
    %c = arith.constant dense<3> : tensor<4xi32>
    %r = arith.addi %x, %x : tensor<4xi32>
    %b = arith.cmpi sgt, %x, %c : tensor<4xi32>
    return %r, %b : tensor<4xi32>, tensor<4xi1>
  }
  func.func @nothing(%x: i32) {
    return
  }
  func.func @scalars(%a: i32, %b: f32, %c: index, %d: i64, %e: i1, %f: f64)
      -> (i32, f32, index, i64, i1, f64) {
    %r = arith.addi %a, %a : i32
    %s = arith.addf %b, %b : f32
    %t = arith.addi %c, %c : index
    %u = arith.addi %d, %d : i64
    %v = arith.addf %f, %f : f64
    return %r, %s, %t, %u, %e, %v : i32, f32, index, i64, i1, f64
  }
  func.func @narrow(%a: i8, %b: i16) -> (i8, i16) {
    %r = arith.addi %a, %a : i8
    return %r, %b : i8, i16
  }
  func.func @point(%a: tensor<f32>) -> tensor<f32> {
    %r = arith.addf %a, %a : tensor<f32>
    return %r : tensor<f32>
  }
  func.func @floats(%a: tensor<3xf16>, %b: tensor<3xbf16>, %c: tensor<3xf64>)
      -> (tensor<3xf16>, tensor<3xbf16>, tensor<3xf64>) {
    %r = arith.addf %a, %a : tensor<3xf16>
    %s = arith.addf %b, %b : tensor<3xbf16>
    %t = arith.addf %c, %c : tensor<3xf64>
    return %r, %s, %t : tensor<3xf16>, tensor<3xbf16>, tensor<3xf64>
  }
  func.func @integers(%a: tensor<3xi8>, %b: tensor<3xi16>, %c: tensor<3xi64>)
      -> (tensor<3xi8>, tensor<3xi16>, tensor<3xi64>) {
    %r = arith.addi %a, %a : tensor<3xi8>
    %s = arith.addi %b, %b : tensor<3xi16>
    %t = arith.addi %c, %c : tensor<3xi64>
    return %r, %s, %t : tensor<3xi8>, tensor<3xi16>, tensor<3xi64>
  }
  func.func @odd(%a: tensor<2xcomplex<f32>>, %b: tensor<2xui8>, %c: tensor<2xf8E4M3FN>, %d: tensor<2xi1>)
      -> (tensor<2xcomplex<f32>>, tensor<2xui8>, tensor<2xf8E4M3FN>, tensor<2xi1>) {
    return %a, %b, %c, %d : tensor<2xcomplex<f32>>, tensor<2xui8>, tensor<2xf8E4M3FN>, tensor<2xi1>
  }
  func.func @empty(%a: tensor<0x4xf32>) -> tensor<0x4xf32> {
    return %a : tensor<0x4xf32>
  }
  func.func @view(%a: !hal.buffer_view) -> !hal.buffer_view {
    return %a : !hal.buffer_view
  }
  func.func @same(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
    return %a : tensor<?x8xf32>
  }
  func.func @nibbles(%a: tensor<4xi8>) -> tensor<4xi4> {
    %r = arith.trunci %a : tensor<4xi8> to tensor<4xi4>
    return %r : tensor<4xi4>
  }
  func.func @nibble(%a: tensor<4xi4>) -> tensor<4xi4> {
    return %a : tensor<4xi4>
  }
  func.func private @hidden(%x: i32) -> i32 {
    return %x : i32
  }
}
