wrong = {
    "flow is still the same": "flow",
    "an earlier phase than executable-targets": "executable-targets",
    "an earlier phase than hal": "hal",
    "no phase": "codegen",
}
