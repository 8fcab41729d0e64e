"""Code generation comes between stream and hal: the HAL calls name what was compiled."""

answer = [
    "input",
    "abi",
    "dispatch-creation",
    "flow",
    "stream",
    "executable-targets",
    "hal",
    "vm",
]
