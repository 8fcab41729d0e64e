wrong = {
    "makes stream.tensor.dispatch": "iree-stream-conversion",
    "makes stream.async.execute": "iree-stream-schedule-execution",
    "runs before and after": "cse",
    "that is the class": "ScheduleAllocationPass",
    "no pass 'iree-stream-make-dispatches'": "iree-stream-make-dispatches",
}
