"""Values through a pipe between this process and its own worker.

A message is a pickle, with the arrays' memory beside it instead of inside, so that a large array is
copied once on each side: u32 number of parts, u64 length of each, then the parts.
"""

from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO

__all__ = ["receive", "send"]


def send(stream: BinaryIO, value: object) -> None:
    """Write one value and flush.

    Raises:
        OSError: the other end is gone.
    """
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    parts = [memoryview(head), *(one.raw() for one in buffers)]
    lengths = [part.nbytes for part in parts]
    stream.write(struct.pack(f"<I{len(parts)}Q", len(parts), *lengths))
    for part in parts:
        stream.write(part)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one value; arrays in it can be written to.

    Raises:
        EOFError: the other end closed the pipe, in between messages or within one.
    """
    (count,) = struct.unpack("<I", _exactly(stream, 4))
    lengths = struct.unpack(f"<{count}Q", _exactly(stream, 8 * count))
    head, *buffers = [_exactly(stream, length) for length in lengths]
    return pickle.loads(head, buffers=buffers)


def _exactly(stream: BinaryIO, length: int) -> bytearray:
    data = bytearray(length)
    view = memoryview(data)
    done = 0
    while done < length:
        count = stream.readinto(view[done:])  # type: ignore[attr-defined]
        if not count:
            raise EOFError(f"{length - done} bytes are missing")
        done += count
    return data
