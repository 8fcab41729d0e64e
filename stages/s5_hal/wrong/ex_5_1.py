wrong = {
    "a dict, binding → first byte": [2, 3],
    "binding 0 is read-only, or not there": {0: 0, 2: 0, 3: 128},
    "1 missing: the kernel has two results": {2: 0},
    "the bytes where they begin": {2: 0, 3: 0},
    "whole numbers": {2: 0, 3: "after the first"},
}
