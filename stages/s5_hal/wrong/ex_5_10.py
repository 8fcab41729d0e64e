wrong = {
    "preprocessing: still the same": "preprocessing",
    "executable-targets: they part earlier": "executable-targets",
    "the name of a phase": "codegen",
}
