func.func private @pymath.triple(i32) -> i32
func.func @six(%x: i32) -> i32 {
  %r = func.call @pymath.triple(%x) : (i32) -> i32
  return %r : i32
}
