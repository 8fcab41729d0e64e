from stages.s4_flow_stream.solutions.ex_4_8 import answer as _good

_THERE = "to #hal.device.promise<@dev_b>"

wrong = {
    "['@dev_a', '@dev_a']": _good.replace(_THERE, "to #hal.device.promise<@dev_a>"),
    "other numbers": _good.replace("ins(%left, %right :", "ins(%right, %left :"),
    "a program @f(%a, %b) for two devices": _good.replace("@dev_b", "@dev_c"),
    "['@dev_b', '@dev_b']": _good.replace(" {iree.abi.affinity = #hal.device.promise<@dev_a>}", ""),
}
