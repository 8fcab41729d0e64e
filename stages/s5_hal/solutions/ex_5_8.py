"""The query's answer turned round: true for every device but local-task."""

answer = """
%ok, %value = hal.device.query<%device : !hal.device>
    key("hal.device.id" :: "local-task") : i1, i1 = false
%true = arith.constant true
%other = arith.xori %value, %true : i1
hal.return %other : i1
"""
