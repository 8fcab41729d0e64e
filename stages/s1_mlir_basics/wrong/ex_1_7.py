_B = "one-shot-bufferize{bufferize-function-boundaries=true}"

wrong = {
    "there are tensors": "builtin.module(func.func(convert-linalg-to-loops))",
    "linalg.fill is there": f"builtin.module({_B})",
    "affine.for is there": f"builtin.module({_B},func.func(convert-linalg-to-affine-loops))",
    "cf.br is there": f"builtin.module({_B},func.func(convert-linalg-to-loops),convert-scf-to-cf)",
    "can't run 'func.func'": "func.func(convert-linalg-to-loops)",
    "does not refer to a registered pass": "builtin.module(bufferize)",
}
