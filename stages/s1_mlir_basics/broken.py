"""Four programs with one fault each, for exercise 1.3: the verifier says what it is."""

from __future__ import annotations

__all__ = ["BROKEN"]

BROKEN = {
    "type": """func.func @half(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<0.5> : tensor<5xf32>
  %0 = arith.mulf %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""",
    "dominance": """func.func @clip(%a: f32, %b: f32) -> f32 {
  %0 = arith.minimumf %1, %b : f32
  %1 = arith.maximumf %a, %b : f32
  return %0 : f32
}
""",
    "terminator": """func.func @pick(%c: i1, %a: f32, %b: f32) -> f32 {
  %0 = scf.if %c -> (f32) {
    %1 = arith.addf %a, %b : f32
    scf.yield %1 : f32
  } else {
    %2 = arith.subf %a, %b : f32
  }
  return %0 : f32
}
""",
    "property": """func.func @less(%a: f32, %b: f32) -> i1 {
  %0 = "arith.cmpf"(%a, %b) : (f32, f32) -> i1
  return %0 : i1
}
""",
}
