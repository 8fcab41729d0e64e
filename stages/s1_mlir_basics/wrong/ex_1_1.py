_TYPES = ": (f32, f32) -> i1"

wrong = {
    "a name in quotes": "%0 = arith.cmpf olt, %a, %b : f32",
    "requires attribute 'predicate'": f'%0 = "arith.cmpf"(%a, %b) {_TYPES}',
    "cmpf oeq, %arg0": f'%0 = "arith.cmpf"(%a, %b) <{{predicate = 1 : i64}}> {_TYPES}',
    "cmpf olt, %arg1, %arg0": f'%0 = "arith.cmpf"(%b, %a) <{{predicate = 4 : i64}}> {_TYPES}',
    "expected": '%0 = "arith.cmpf"(%a, %b) <{predicate = 4 : i64}> : f32',
}
