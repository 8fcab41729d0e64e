from stages.s1_mlir_basics.solutions.ex_1_5 import answer as _good

wrong = {
    "2 maps": _good[:2],
    "operand #1 has shape's dimension #0 to be 8": [_good[0], "(i, j, k) -> (k, j)", _good[2]],
    "operand #0 rank": ["(i, j, k) -> (i, j, k)", *_good[1:]],
    "operand #2": [_good[0], _good[1], "(i, j, k) -> (j, i)"],
}
