_QUERY = """
%ok, %value = hal.device.query<%device : !hal.device> key("hal.device.id" :: "{}") : i1, i1 = false
hal.return %value : i1
"""

wrong = {
    "yes on local-task only": _QUERY.format("local-task"),
    "it runs on both": _QUERY.format("local*"),
    "it runs on neither": _QUERY.format("vulkan"),
    "a condition that compiles": "hal.return %value : i1",
}
