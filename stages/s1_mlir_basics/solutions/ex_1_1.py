"""Names in quotes, operands in brackets, the predicate as a property, the type of a function."""

answer = '%0 = "arith.cmpf"(%a, %b) <{predicate = 4 : i64}> : (f32, f32) -> i1'
