from stages.s0_setup.solutions.ex_0_5 import answer as _good

wrong = {
    "hal.command_buffer.dispatch is not in @axpb": _good | {"hal.command_buffer.dispatch": "call"},
    "hal.buffer_view.assert is in @axpb": _good | {"hal.buffer_view.assert": "load"},
    "hal.executable.create is not in @axpb": _good | {"hal.executable.create": "call"},
    "hal.device.query.i64 is missing": {"hal.executable.create": "load"},
    "a list": list(_good.values()),
    "'once'": _good | {"hal.executable.create": "once"},
}
