from stages.s2_pipeline.solutions.ex_2_7 import answer as _good

wrong = {
    "abi: hal.tensor.import is there": _good | {"abi": "hal.tensor.import"},
    "only the name of the op": _good | {"abi": 'hal.tensor.export %7 "output0"'},
    "stream: !stream.resource<transient> is": _good | {"stream": "!stream.resource<transient>"},
    "only the word in <…>": _good | {"stream": "an external one"},
    "executable-sources: binding 2 is": _good | {"executable-sources": 2},
    "executable-sources: no binding 4": _good | {"executable-sources": "4"},
    "the number of a binding": _good | {"executable-sources": "the last one"},
    "hal: hal.allocator.allocate is not in it": _good | {"hal": "hal.allocator.allocate"},
    "vm: @hal.buffer_view.buffer is there": _good | {"vm": "@hal.buffer_view.buffer"},
    "stream is missing": {"abi": "hal.tensor.export"},
    "a list": list(_good.values()),
}
