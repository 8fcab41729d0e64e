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
