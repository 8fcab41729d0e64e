from stages.s2_pipeline.solutions.ex_2_7 import answer as _good

wrong = {
    "abi": _good | {"abi": "tensor"},
    "executable-targets": _good | {"executable-targets": "memref"},
    "hal": _good | {"hal": "buffer_view"},
    "all six": {"input": "tensor"},
    "one of": _good | {"vm": "pointer"},
}
