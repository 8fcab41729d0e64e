"""What makes a module is in the compiler's package, what opens or runs one is in the runtime's."""

answer = {
    "iree-compile": "iree-base-compiler",
    "iree-opt": "iree-base-compiler",
    "iree-run-module": "iree-base-runtime",
    "iree-dump-module": "iree-base-runtime",
}
