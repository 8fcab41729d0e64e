from stages.s5_hal.solutions.ex_5_11 import answer as _good

wrong = {
    "cuLaunchKernel: hal.device.queue.execute.indirect does not": _good
    | {"cuLaunchKernel": "hal.device.queue.execute.indirect"},
    "AllocDataSpace: hal.device.allocator does not": _good
    | {"AllocDataSpace": "hal.device.allocator"},
    "StreamSync: hal.device.queue.barrier is not in it": _good
    | {"StreamSync": "hal.device.queue.barrier"},
    "shape assertions is missing": {k: v for k, v in _good.items() if k != "shape assertions"},
    "a dict: call of TVM → op": "hal.fence.await",
}
