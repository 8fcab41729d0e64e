from stages.s4_flow_stream.solutions.ex_4_7 import answer as _good

wrong = {
    "the old numbers": lambda text: text,
    "other numbers": lambda text: text.replace(
        "arith.constant 0.000000e+00 : f32", "arith.constant 5.000000e-01 : f32"
    ),
    "IR that compiles after flow": lambda text: _good(text).replace("%half =", "%whole ="),
    "the edited text": lambda text: text.splitlines(),
}
