"""The driver's flags are those of mlir-opt: a pipeline, and how to print."""

answer = [
    "iree-opt",
    "waste.mlir",
    "--pass-pipeline=builtin.module(func.func(cse))",
    "--mlir-print-op-generic",
]
