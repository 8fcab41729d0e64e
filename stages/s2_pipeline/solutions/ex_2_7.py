"""Inside the dispatch a memref and then a pointer; outside a view, a buffer, a reference."""

answer = {
    "input": "tensor",
    "abi": "buffer_view",
    "executable-configurations": "memref",
    "executable-targets": "ptr",
    "hal": "buffer",
    "vm": "ref",
}
