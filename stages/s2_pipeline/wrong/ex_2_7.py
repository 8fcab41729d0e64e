from stages.s2_pipeline.solutions.ex_2_7 import answer as _good

wrong = {
    "in abi, tensor": _good | {"abi": "tensor"},
    "in executable-targets, memref": _good | {"executable-targets": "memref"},
    "in hal, buffer_view": _good | {"hal": "buffer_view"},
    "abi is missing": {"input": "tensor"},
    "one of": _good | {"vm": "pointer"},
}
