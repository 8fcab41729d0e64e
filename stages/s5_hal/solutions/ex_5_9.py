"""First the device's name, then the format of code; a condition is asked when code is chosen."""

answer = {
    "cuda": "hal.device.id",
    "other cpu": "hal.executable.format",
    "condition": "hal.executable.condition",
}
