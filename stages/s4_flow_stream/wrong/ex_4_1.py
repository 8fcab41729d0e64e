from stages.s4_flow_stream.solutions.ex_4_1 import answer as _good

_BARRIER = "  %kept = util.optimization_barrier %xw : tensor<64x64xf32>\n"

wrong = {
    "two dispatches": _good.replace(_BARRIER, "").replace("%kept", "%xw"),
    "other numbers": _good.replace("arith.maximumf", "arith.minimumf"),
    "a program with @dense that compiles": _good.replace("@dense", "@layer"),
}
