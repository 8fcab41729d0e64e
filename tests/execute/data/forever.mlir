func.func @forever(%x: i32) -> i32 {
  cf.br ^again(%x : i32)
^again(%y: i32):
  %z = arith.addi %y, %x : i32
  cf.br ^again(%z : i32)
}
