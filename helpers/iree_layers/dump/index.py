"""A source → `Dump`: where every snapshot lies, what it hashes to, which are the same.

One pass, faster than `grep -c`, because most of it is not searched. Three quarters of the
snapshots of a run repeat an earlier one byte for byte. So for each body the length of earlier
bodies that began alike is tried first: if a header follows there and the hash is a known one, the
bytes are known, and known bytes hold no header. Only the rest is searched. Header lines repeat
too, and are parsed once; the root op and the noise are looked for in distinct bodies only.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from xxhash import xxh3_128_digest, xxh3_128_hexdigest

from .dump import Dump
from .header import PREFIX, UNKNOWN, continued, parse_header
from .noise import Span, ends_like_ir, find_noise
from .root import root_of
from .search import NEEDLE, STEP, Search
from .snapshot import Header, Noise, Snapshot
from .source import Buffer, Source, buffer_of

__all__ = ["index"]

_BOM = b"\xef\xbb\xbf"

_LINE = 512
"Bytes read for a header line and the first bytes after it; longer lines are read again."

_LONGEST = 4096
"Bytes within which a header must end that a newline in a symbol breaks."

_HEAD = 160
"Bytes at the start of a body that decide which earlier bodies it is compared with."

_LENGTHS = 3
"How many different lengths of bodies with the same start are tried."


@dataclass(frozen=True, slots=True)
class _Body:
    """What is known about one distinct body."""

    content: str
    first: int
    "index of the first snapshot with this content"
    op: str | None
    symbol: str | None
    noise: tuple[Span, ...]
    "start and end within the body, and kind"


@dataclass(slots=True)
class _Known:
    """What was seen so far in a dump."""

    headers: dict[bytes, Header] = field(default_factory=dict)
    "by their lines"
    bodies: dict[bytes, _Body] = field(default_factory=dict)
    "by their hashes"
    contents: dict[str, int] = field(default_factory=dict)
    "index of the first snapshot, by its hash without noise"
    lengths: dict[bytes, tuple[int, ...]] = field(default_factory=dict)
    "of bodies, latest first, by their first bytes"
    roots: dict[bytes, tuple[str | None, str | None]] = field(default_factory=dict)
    "op and symbol, by the first bytes of bodies, where these have the whole line of the root"


def index(source: Source, *, origin: str = "memory") -> Dump:
    """Find every snapshot and all noise of a dump. Never raises on what the bytes are.

    Without any header the result has no snapshots, and all bytes are preamble.
    """
    with buffer_of(source) as data, memoryview(data) as view, _no_collection():
        snapshots, noise = _scan(data, view)
    return Dump(source, tuple(snapshots), tuple(noise), origin)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Ten thousands of small objects are made and none is garbage: a tenth of the time is saved."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _scan(data: Buffer, view: memoryview) -> tuple[list[Snapshot], list[Noise]]:
    """Walk from header to header. One loop and no calls on the common way: it is the hot spot."""
    size = len(data)
    search = Search(data)
    known = _Known()
    headers, bodies, lengths = known.headers, known.bodies, known.lengths
    needle, reach, digest_of, make = NEEDLE, len(PREFIX), xxh3_128_digest, Snapshot
    snapshots: list[Snapshot] = []
    noise: list[Noise] = []
    start = _first(data, search)
    if start > 0:
        noise.append(Noise(0, start, "preamble", -1))
    pause = STEP
    while start < size:
        near = data[start : start + _LINE]
        length = near.find(b"\n") + 1
        if not length or length > _LINE - _HEAD:
            length, near = _long_line(data, start)
        header = headers.get(line := near[:length])
        if header is None:
            header = headers[line] = parse_header(line)
        if header is UNKNOWN and (more := continued(data[start : start + _LONGEST], length)):
            near = data[start : start + more + _HEAD]
            length = more
            header = parse_header(near[:length])
        body = start + length
        head = near[length : length + _HEAD]
        for expected in lengths.get(head, ()):
            end = body + expected
            if data[end - 1 : end + reach] == needle or end == size:
                digest = digest_of(view[body:end])
                if (seen := bodies.get(digest)) is not None:
                    break
        else:
            end, odd = search.header(body - 1)
            _remember(lengths, head, end - body)
            part = view[body:end]
            digest = digest_of(part)
            if (seen := bodies.get(digest)) is None:
                odd = [each - body for each in odd]
                seen = bodies[digest] = _study(part, head, odd, digest, len(snapshots), known)

        number = len(snapshots)
        same = seen.first if seen.first != number else None
        snapshots.append(
            make(number, header, start, body, end, seen.content, same, seen.op, seen.symbol)
        )
        if seen.noise:
            noise += [Noise(body + a, body + b, kind, number) for a, b, kind in seen.noise]
        start = end
        if start > pause:
            search.passed(start)
            pause = start + STEP
    return snapshots, noise


def _first(data: Buffer, search: Search) -> int:
    """Offset of the first header line, or the size. A byte order mark may stand before it."""
    if data[: len(PREFIX)] == PREFIX:
        return 0
    if data[: len(_BOM) + len(PREFIX)] == _BOM + PREFIX:
        return len(_BOM)
    return search.header(0)[0]


def _long_line(data: Buffer, start: int) -> tuple[int, bytes]:
    """Length of a long header line or of one that the end cuts off, and the bytes from there."""
    newline = data.find(b"\n", start)
    length = (newline + 1 if newline >= 0 else len(data)) - start
    return length, data[start : start + length + _HEAD]


def _remember(lengths: dict[bytes, tuple[int, ...]], head: bytes, length: int) -> None:
    """Put a length to the front of those that bodies with this start had."""
    others = [each for each in lengths.get(head, ()) if each != length]
    lengths[head] = (length, *others[: _LENGTHS - 1])


def _study(
    body: memoryview, head: bytes, odd: list[int], digest: bytes, number: int, known: _Known
) -> _Body:
    """Look at a body that was not seen before: root, noise, and its content without the noise."""
    content = digest.hex()
    root = known.roots.get(head)
    noise: tuple[Span, ...] = ()
    if root is None or odd or not ends_like_ir(body):
        noise = find_noise(body, odd)
        clean = _without(bytes(body), noise) if noise else body
        root = root_of(clean, 0, len(clean))
        lines = head[: head.rfind(b"\n") + 1]
        if noise:
            content = xxh3_128_hexdigest(clean)
        elif root_of(lines, 0, len(lines))[0] is not None:
            known.roots[head] = root
    return _Body(content, known.contents.setdefault(content, number), *root, noise)


def _without(body: bytes, noise: tuple[Span, ...]) -> bytes:
    starts = [0, *(end for _, end, _ in noise)]
    ends = [*(start for start, _, _ in noise), len(body)]
    return b"".join(body[start:end] for start, end in zip(starts, ends, strict=True))
