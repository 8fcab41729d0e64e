"""The loop's block has two arguments, the counter and the sum; each jump gives both new values."""

answer = """
func.func @sum(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^loop(%zero, %zero : i32, i32)
^loop(%i: i32, %sum: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^done
^body:
  %next_sum = arith.addi %sum, %i : i32
  %next = arith.addi %i, %one : i32
  cf.br ^loop(%next, %next_sum : i32, i32)
^done:
  return %sum : i32
}
"""
