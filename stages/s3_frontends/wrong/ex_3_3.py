from stages.s3_frontends.solutions.ex_3_3 import answer as _good

wrong = {
    "it is gone": "func.func @f(%x: f32) -> f32 { return %x : f32 }",
    "expected 'values'": _good.replace("values(", "value(").replace("values", "value"),
    "new shape is inconsistent": _good.replace("[3, 2]", "[4, 2]"),
}
