"""From compiled modules to numbers: devices, run, agree, and what is in a `.vmfb`.

run(vmfb, "mlp", x, w)          numpy arrays, on any device that works here
agree(result, reference)        a verdict of one line
devices()                       what really runs here
contents(vmfb)                  files, functions, needs
run_command(vmfb, "mlp", x, w)  the same call for a terminal
record(vmfb, "mlp", x, w)       what that call really did on the device
child(function)                 code that may crash, in a process of its own
"""

from __future__ import annotations

from .agree import agree
from .agreement import Agreement
from .child import Child, child
from .command import run_command
from .contents import Contents, Export, Member, contents
from .devices import Device, device_line, devices
from .record import Record, record
from .run import run
from .signature import Signature, ValueType

__all__ = [
    "Agreement",
    "Child",
    "Contents",
    "Device",
    "Export",
    "Member",
    "Record",
    "Signature",
    "ValueType",
    "agree",
    "child",
    "contents",
    "device_line",
    "devices",
    "record",
    "run",
    "run_command",
]
