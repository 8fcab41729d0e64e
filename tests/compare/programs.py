"""Programs of matrix products whose dependences are known."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["COND", "CONSTANT", "DIAMOND", "DYNAMIC", "STATE", "TWO_DEVICES", "UPDATE", "products"]

_T = "tensor<64x64xf32>"
_INIT = f"""  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {_T}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {_T}) -> {_T}
"""


def products(pairs: Sequence[tuple[int, int]], inputs: int = 2, name: str = "f") -> str:
    """A function whose k-th product takes two of the values before it; inputs come first.

    What nobody takes is given back.
    """
    lines, taken = [], set()
    for k, (a, b) in enumerate(pairs):
        taken |= {a, b}
        lines.append(
            f"  %v{inputs + k} = linalg.matmul ins(%v{a}, %v{b} : {_T}, {_T}) "
            f"outs(%init : {_T}) -> {_T}\n"
        )
    last = [n for n in range(inputs, inputs + len(pairs)) if n not in taken]
    arguments = ", ".join(f"%v{n}: {_T}" for n in range(inputs))
    results = ", ".join([_T] * len(last))
    given = ", ".join(f"%v{n}" for n in last)
    return (
        f"func.func @{name}({arguments}) -> ({results}) {{\n{_INIT}{''.join(lines)}"
        f"  return {given} : {results}\n}}\n"
    )


DIAMOND = products([(0, 1), (0, 2), (3, 4)], inputs=3, name="diamond")

DYNAMIC = """func.func @dynamic(%a: tensor<?x64xf32>, %b: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %l = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x64xf32>)
      outs(%i : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = linalg.matmul ins(%l, %b : tensor<?x64xf32>, tensor<64x64xf32>)
      outs(%i : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
"""

COND = f"""func.func @cond(%a: {_T}, %c: tensor<i1>) -> {_T} {{
{_INIT}  %p = tensor.extract %c[] : tensor<i1>
  %r = scf.if %p -> {_T} {{
    %l = linalg.matmul ins(%a, %a : {_T}, {_T}) outs(%init : {_T}) -> {_T}
    scf.yield %l : {_T}
  }} else {{
    scf.yield %a : {_T}
  }}
  %q = linalg.matmul ins(%r, %r : {_T}, {_T}) outs(%init : {_T}) -> {_T}
  return %q : {_T}
}}
"""

STATE = """ml_program.global private mutable @s(dense<0.0> : tensor<64xf32>) : tensor<64xf32>
func.func @state(%a: tensor<64xf32>) -> tensor<64xf32> {
  %s = ml_program.global_load @s : tensor<64xf32>
  %t = arith.addf %s, %a : tensor<64xf32>
  ml_program.global_store @s = %t : tensor<64xf32>
  return %t : tensor<64xf32>
}
"""

UPDATE = """func.func @update(%a: tensor<64xf32>, %b: tensor<8xf32>)
    -> (tensor<64xf32>, tensor<64xf32>) {
  %t = tensor.insert_slice %b into %a[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  %u = arith.addf %a, %t : tensor<64xf32>
  return %t, %u : tensor<64xf32>, tensor<64xf32>
}
"""

_A = "{iree.abi.affinity = #hal.device.promise<@dev_a>}"
TWO_DEVICES = f"""func.func @two(%a: {_T} {_A}, %b: {_T} {_A}) -> {_T} {{
{_INIT}  %l = linalg.matmul ins(%a, %b : {_T}, {_T}) outs(%init : {_T}) -> {_T}
  %t = flow.tensor.transfer %l : {_T} to #hal.device.promise<@dev_b>
  %r = linalg.matmul ins(%t, %t : {_T}, {_T}) outs(%init : {_T}) -> {_T}
  %s = flow.tensor.transfer %r : {_T} to #hal.device.promise<@dev_a>
  return %s : {_T}
}}
"""

# The sum of constants is computed while compiling, by a module of its own.
CONSTANT = """func.func @constant(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0],
                             [1.0, 3.0, 2.0, 4.0], [5.0, 7.0, 6.0, 8.0]]> : tensor<4x4xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %w = linalg.matmul ins(%c, %c : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%a, %w : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
"""
