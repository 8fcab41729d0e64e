"""A `Dump` as columns of numbers for the index of a stored file, and back.

Rows would repeat the same keys and names five thousand times; columns with tables of names are
small once zstd has seen them, and fast to turn into values again.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .blocks import PieceSource
from .dump import Dump
from .folder import TreeDump
from .header import PREFIX
from .snapshot import Header, Noise, Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from .blocks import BlockReader

__all__ = ["pack_dump", "unpack_dump"]

_NEEDLE = b"\n" + PREFIX
T = TypeVar("T", bound="Hashable")


class _Table(Generic[T]):
    """Distinct values in order of first use, and their numbers."""

    def __init__(self) -> None:
        self.numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        return self.numbers.setdefault(value, len(self.numbers))


def pack_dump(dump: Dump, add: Callable[[bytes], int], chunk: int) -> dict[str, Any]:
    """What is needed to make the dump again, ready for JSON.

    Args:
        dump: the dump.
        add: takes a piece of its bytes and gives it a number.
        chunk: greatest length of a piece.
    """
    texts: _Table[str | None] = _Table()
    headers: _Table[Header] = _Table()
    contents: _Table[str] = _Table()
    columns: dict[str, list[int]] = {
        "header": [headers.number(s.header) for s in dump.snapshots],
        "content": [contents.number(s.content) for s in dump.snapshots],
        # Lengths, because they repeat where offsets do not.
        "gap": _gaps(dump),
        "head": [s.body - s.start for s in dump.snapshots],
        "body": [s.end - s.body for s in dump.snapshots],
        "guessed": [int(s.guessed) for s in dump.snapshots],
    }
    for name in _TEXTS:
        columns[name] = [texts.number(getattr(s, name)) for s in dump.snapshots]
    return {
        "pieces": [add(piece) for piece in _pieces(dump, chunk)],
        "columns": columns,
        "texts": list(texts.numbers),
        "headers": [[getattr(h, f.name) for f in fields(Header)] for h in headers.numbers],
        "contents": list(contents.numbers),
        "noise": [[n.start, n.end, n.kind, n.after] for n in dump.noise],
        "origin": dump.origin,
        "hidden": dump.hidden,
        "hidden_ranges": dump.hidden_ranges,
        "missing": dump.missing if isinstance(dump, TreeDump) else None,
    }


def unpack_dump(packed: dict[str, Any], reader: BlockReader) -> Dump:
    """The dump of `pack_dump`, its bytes left in the file.

    Raises:
        DumpError: it points outside of what is stored.
    """
    source = PieceSource(reader, packed["pieces"])
    snapshots = tuple(_snapshots(packed))
    noise = tuple(Noise(*row) for row in packed["noise"])
    ends = [s.end for s in snapshots[-1:]] + [n.end for n in noise]
    if any(end > source.size for end in ends):
        raise reader.damaged("it points behind the end of its dump")
    hidden = packed["hidden"], tuple((start, end) for start, end in packed["hidden_ranges"])
    if packed["missing"] is None:
        return Dump(source, snapshots, noise, str(packed["origin"]), *hidden)
    return TreeDump(source, snapshots, noise, str(packed["origin"]), *hidden, packed["missing"])


_TEXTS = ("op", "symbol", "layer", "dispatch")


def _gaps(dump: Dump) -> list[int]:
    """Bytes between the end of each snapshot's predecessor and its start."""
    ends = [0, *(s.end for s in dump.snapshots)]
    return [s.start - end for s, end in zip(dump.snapshots, ends, strict=False)]


def _pieces(dump: Dump, chunk: int) -> Iterator[bytes]:
    """All bytes in order, cut at headers and bodies, where texts repeat."""
    borders = {0, dump.size}
    for snapshot in dump.snapshots:
        borders |= {snapshot.start, snapshot.body, snapshot.end}
    for start, end in dump.hidden_ranges:
        borders |= {start, end}
    hidden = {start for start, _ in dump.hidden_ranges}
    for start, end in pairwise(sorted(borders)):
        for at in range(start, end, chunk):
            piece = dump.source.read(at, min(at + chunk, end))
            if start in hidden:
                yield from _at_headers(piece)
            else:
                yield piece


def _at_headers(data: bytes) -> Iterator[bytes]:
    """Cut hidden bytes where snapshots start and where their headers end."""
    start = 0
    while start < len(data):
        if data.startswith(PREFIX, start):
            end = data.find(b"\n", start) + 1
        else:
            end = data.find(_NEEDLE, start) + 1
        end = end or len(data)
        yield data[start:end]
        start = end


def _snapshots(packed: dict[str, Any]) -> Iterator[Snapshot]:
    columns, texts, contents = packed["columns"], packed["texts"], packed["contents"]
    headers = [Header(*row) for row in packed["headers"]]
    lengths = [columns[name] for name in ("gap", "head", "body")]
    ends = accumulate(length for row in zip(*lengths, strict=True) for length in row)
    first: dict[int, int] = {}
    rows = zip(
        columns["header"], columns["content"], columns["guessed"],
        *(columns[name] for name in _TEXTS), strict=True,
    )  # fmt: skip
    for index, (header, content, guessed, op, symbol, layer, dispatch) in enumerate(rows):
        same = first.setdefault(content, index)
        start, body, end = next(ends), next(ends), next(ends)
        yield Snapshot(
            index, headers[header], start, body, end, contents[content],
            None if same == index else same, texts[op], texts[symbol],
            texts[layer], bool(guessed), texts[dispatch],
        )  # fmt: skip
