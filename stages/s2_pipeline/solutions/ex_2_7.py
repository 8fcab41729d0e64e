answer = {
    "input": "tensor",
    "abi": "buffer_view",
    "executable-configurations": "memref",
    "executable-targets": "ptr",
    "hal": "buffer",
    "vm": "ref",
}
