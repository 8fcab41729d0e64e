from stages.s0_setup.solutions.ex_0_1 import answer as _good

wrong = {
    "does not bring iree-dump-module": _good | {"iree-dump-module": "iree-base-compiler"},
    "does not bring iree-opt": _good | {"iree-opt": "iree-base-runtime"},
    "not one of the two packages": _good | {"iree-compile": "iree-compiler"},
    "is missing": {"iree-compile": "iree-base-compiler"},
}
