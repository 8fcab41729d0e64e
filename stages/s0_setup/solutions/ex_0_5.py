"""Loading asks, loads and records; a call checks, submits and waits."""

answer = {
    "hal.device.query.i64": "load",
    "hal.executable.create": "load",
    "hal.command_buffer.dispatch": "load",
    "hal.buffer_view.assert": "call",
    "hal.device.queue.execute.indirect": "call",
}
