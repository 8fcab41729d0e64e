from stages.s2_pipeline.solutions.ex_2_7 import answer as _good

wrong = {
    "abi: hal.tensor.import is": _good | {"abi": "hal.tensor.import"},
    "stream: transient is": _good | {"stream": "transient"},
    "executable-sources: 2 is": _good | {"executable-sources": 2},
    "hal: hal.allocator.allocate is": _good | {"hal": "hal.allocator.allocate"},
    "vm: hal.buffer_view.buffer is": _good | {"vm": "hal.buffer_view.buffer"},
    "stream is missing": {"abi": "hal.tensor.export"},
}
