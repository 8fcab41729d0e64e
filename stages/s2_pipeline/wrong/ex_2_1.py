wrong = {
    "snapshot 182 (after iree-stream-conversion)": "iree-stream-conversion",
    "stream.async.execute, but no": "--iree-stream-schedule-execution",
    "no stream op, but no": "iree-abi-wrap-entry-points",
    "(after iree-vm-conversion): an earlier": "iree-vm-conversion",
    "runs before and after": "cse",
    "(after iree-hal-conversion): an earlier": "ConvertToHALPass",
    "is only the end of iree": "schedule-allocation",
    "a number": 261,
    "no pass 'iree-stream-make-dispatches'": "iree-stream-make-dispatches",
}
