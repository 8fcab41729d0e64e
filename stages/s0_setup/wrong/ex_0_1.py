from stages.s0_setup.solutions.ex_0_1 import answer as _good

wrong = {
    "does not bring iree-dump-module": _good | {"iree-dump-module": "iree-base-compiler"},
    "does not bring iree-opt": _good | {"iree-opt": "iree-base-runtime"},
    "iree-compile: 'iree-compiler'": _good | {"iree-compile": "iree-compiler"},
    "a list": list(_good.values()),
    "iree-opt: 'llvm'": _good | {"iree-opt": "llvm"},
    "is missing": {"iree-compile": "iree-base-compiler"},
}
