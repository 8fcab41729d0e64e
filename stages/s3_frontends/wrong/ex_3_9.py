from stages.s3_frontends.solutions.ex_3_9 import answer as _good

wrong = {
    "is not equal to 1 or size of result": _good.replace("dims = [1]", "dims = [0]"),
    "other numbers": _good.replace("stablehlo.add", "stablehlo.subtract"),
    "there is none": """
func.func @f(%x: tensor<4x10xf32>, %b: tensor<10xf32>) -> tensor<4x10xf32> {
  return %x : tensor<4x10xf32>
}
""",
}
