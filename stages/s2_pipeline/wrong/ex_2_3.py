wrong = {
    "executable-targets has it, but an earlier": "executable-targets",
    "hal: no memref< in its snapshots any more": "hal",
    "executable-sources: no memref< in any of its snapshots yet": "executable-sources",
    "is a pass": "iree-codegen-bufferize-dispatch-tensor-load-store",
    "a number": 365,
    "no layer": "bufferization",
}
