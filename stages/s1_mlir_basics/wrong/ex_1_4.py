from stages.s1_mlir_basics.solutions.ex_1_4 import answer as _good

_FOR = """
func.func @sum(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (i32) : i32 {
    %next = arith.addi %s, %i : i32
    scf.yield %next : i32
  }
  return %sum : i32
}
"""
_FORMULA = """
func.func @sum(%n: i32) -> i32 {
  return %n : i32
}
"""

wrong = {
    "a structured loop": _FOR,
    "no block takes a value": _FORMULA,
    "1 for n = 1": _good.replace("slt, %i", "sle, %i"),
    "use of undeclared SSA value": _good.replace("return %sum", "return %total"),
    "1 for n = 0": _good.replace("^loop(%zero, %zero", "^loop(%zero, %one"),
}
