_CSE = "--pass-pipeline=builtin.module(func.func(cse))"

wrong = {
    "the custom form": ["iree-opt", "waste.mlir", _CSE],
    "2 sums": ["iree-opt", "waste.mlir", "--mlir-print-op-generic"],
    "mlir-opt": ["mlir-opt", "waste.mlir", _CSE],
    "Unknown command line argument": ["iree-opt", "waste.mlir", _CSE, "--print-generic"],
    "one text": "iree-opt waste.mlir --cse",
}
