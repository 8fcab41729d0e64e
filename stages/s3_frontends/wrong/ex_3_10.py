wrong = {
    "ml_program.global does not": "ml_program.global",
    "stablehlo.dot does not": "stablehlo.dot",
    "util.global.load": "util.global.load",
}
