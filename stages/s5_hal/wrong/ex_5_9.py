from stages.s5_hal.solutions.ex_5_9 import answer as _good

wrong = {
    'is "local-task" a cuda device?': _good | {"cuda": "hal.executable.format"},
    "a query after the one that holds": _good | {"other cpu": "hal.device.id"},
    "the op in the variant": _good | {"condition": "hal.device.query"},
    "a dict with three entries": "hal.device.id",
}
