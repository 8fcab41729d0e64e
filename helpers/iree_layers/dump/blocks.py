"""A file of byte pieces: each distinct piece once, many pieces in one zstd stream, read lazily.

Passes print the same text again and again (three of four snapshots equal the one before), and
those that differ are alike. So a piece is kept once under its xxh3-128, and about 4 MiB of
pieces share a zstd frame: per-piece compression would give a quarter of the ratio.

    magic | block | block | … | index | footer

A block is one zstd frame with a checksum. The index is a zstd frame of JSON that the caller
defines, with the tables of blocks and pieces in it. The footer has a fixed size, so a file that
was cut short is noticed at once.
"""

from __future__ import annotations

import json
import struct
import threading
import weakref
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import xxhash
import zstandard

from ..errors import DumpError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["VERSION", "BlockReader", "BlockWriter", "PieceSource", "is_block_file"]

VERSION = 1
"raised when an old reader could not read a new file"

# As in PNG: the high bit and both line ends show a file that went through a text-mode copy.
_MAGIC = b"\x89IRL\r\n\x1a\n"
_END = b"IRLend\r\n"
# version, offset of the index, its length, its length unpacked, xxh3-128 of the packed index
_FOOTER = struct.Struct("<I4xQQQ16s8s")
_BLOCK_BYTES = 4 << 20
_LEVEL = 6
_CACHED_BLOCKS = 4
_LARGEST_INDEX = 1 << 30

_REMEDY = "make the trace again, or copy the file again if it was copied"


def is_block_file(path: str | Path) -> bool:
    """Whether a file begins as one written by `BlockWriter` does; False for what is no file."""
    try:
        with Path(path).open("rb") as handle:
            return handle.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


class BlockWriter:
    """Collects pieces into a file. Nothing in it depends on the time or the machine."""

    def __init__(self, handle: IO[bytes]) -> None:
        self._handle = handle
        self._position = handle.write(_MAGIC)
        self._packer = zstandard.ZstdCompressor(
            compression_params=zstandard.ZstdCompressionParameters.from_level(
                _LEVEL, window_log=23, enable_ldm=True, write_checksum=True
            )
        )
        self._ids: dict[bytes, int] = {}
        self._blocks: list[tuple[int, int, int]] = []
        self._pieces: list[tuple[int, int, int]] = []
        self._open: list[bytes] = []
        self._fill = 0

    def add(self, piece: bytes) -> int:
        """Number under which the piece can be read back; equal pieces have equal numbers."""
        key = xxhash.xxh3_128_digest(piece)
        number = self._ids.get(key)
        if number is None:
            number = self._ids[key] = len(self._pieces)
            self._pieces.append((len(self._blocks), self._fill, len(piece)))
            self._open.append(piece)
            self._fill += len(piece)
            if self._fill >= _BLOCK_BYTES:
                self.end_block()
        return number

    def end_block(self) -> None:
        """Let the next piece begin a block, so that what follows can be read on its own."""
        if not self._fill:
            # Pieces of zero bytes stay in the open block, which must exist for them.
            return
        packed = self._packer.compress(b"".join(self._open))
        self._blocks.append((self._position, len(packed), self._fill))
        self._position += self._handle.write(packed)
        self._open, self._fill = [], 0

    def finish(self, index: Mapping[str, Any]) -> None:
        """Write the last block, the caller's index and the footer."""
        self.end_block()
        whole = {
            **index,
            "blocks": [list(column) for column in zip(*self._blocks, strict=True)],
            "pieces": [list(column) for column in zip(*self._pieces, strict=True)],
        }
        text = json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()
        packed = zstandard.ZstdCompressor(level=9).compress(text)
        offset = self._position
        self._handle.write(packed)
        digest = xxhash.xxh3_128_digest(packed)
        self._handle.write(_FOOTER.pack(VERSION, offset, len(packed), len(text), digest, _END))


class BlockReader:
    """Reads pieces of such a file; opening it reads the index alone."""

    def __init__(self, path: str | Path) -> None:
        """Open the file and check its two ends.

        Raises:
            DumpError: not such a file, cut short, damaged, or written by a newer version.
        """
        self.path = Path(path)
        self._file: IO[bytes] = self.path.open("rb")
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()
        self._cache: dict[int, bytes] = {}
        try:
            self.index = self._read_index()
            columns = self.index["pieces"] or [[], [], []]
            self._pieces = list(zip(*columns, strict=True))
            self._blocks = list(zip(*(self.index["blocks"] or [[], [], []]), strict=True))
        except DumpError:
            self._file.close()
            raise
        except (KeyError, TypeError, ValueError) as error:
            self._file.close()
            raise self.damaged(f"its index makes no sense ({error!r})") from error

    def damaged(self, how: str) -> DumpError:
        """The error to raise for something wrong with the file."""
        return DumpError(
            f"{self.path.name} is damaged: {how}",
            expected="a file written by iree_layers' `save`",
            todo=_REMEDY,
        )

    def _read_index(self) -> dict[str, Any]:
        size = self._file.seek(0, 2)
        self._file.seek(0)
        if self._file.read(len(_MAGIC)) != _MAGIC:
            raise DumpError(
                f"{self.path.name} is no stored trace: it begins with other bytes",
                expected="a file written by iree_layers' `save`",
                todo="`open_dump` reads plain dumps",
            )
        if size < len(_MAGIC) + _FOOTER.size:
            raise self.damaged(f"it ends after {size} bytes")
        self._file.seek(size - _FOOTER.size)
        version, start, length, unpacked, digest, end = _FOOTER.unpack(
            self._file.read(_FOOTER.size)
        )
        if end != _END:
            raise self.damaged("its end is missing: it was cut short")
        if version > VERSION:
            raise DumpError(
                f"{self.path.name} has format {version}",
                expected=f"format {VERSION} or older",
                todo="install a newer iree-layers",
            )
        if start + length + _FOOTER.size != size or unpacked > _LARGEST_INDEX:
            raise self.damaged("its footer does not fit its size")
        self._file.seek(start)
        packed = self._file.read(length)
        if xxhash.xxh3_128_digest(packed) != digest:
            raise self.damaged("the checksum of its index is wrong")
        found = json.loads(self._unpack(packed, unpacked))
        if not isinstance(found, dict):
            raise self.damaged("its index is no table")
        return found

    def _unpack(self, packed: bytes, size: int) -> bytes:
        try:
            # A frame that claims another size than the index is refused before it is unpacked.
            if zstandard.frame_content_size(packed) != size:
                raise self.damaged("a block has another size than its index says")
            return zstandard.ZstdDecompressor().decompress(packed, max_output_size=max(size, 1))
        except zstandard.ZstdError as error:
            raise self.damaged(f"a block cannot be unpacked ({error})") from error

    def piece(self, number: int) -> bytes:
        """Bytes of one piece.

        Raises:
            DumpError: no such piece, or its block is damaged.
        """
        block, start, length = self._place(number)
        if length == 0:
            return b""
        return self._block(block)[start : start + length]

    def length(self, number: int) -> int:
        """Number of bytes of a piece, without reading it."""
        return self._place(number)[2]

    def _place(self, number: int) -> tuple[int, int, int]:
        if not 0 <= number < len(self._pieces):
            raise self.damaged(f"piece {number} is not in it")
        block, start, length = self._pieces[number]
        if length and not 0 <= block < len(self._blocks):
            raise self.damaged(f"block {block} is not in it")
        if start < 0 or length < 0 or (length and start + length > self._blocks[block][2]):
            raise self.damaged(f"piece {number} lies outside its block")
        return block, start, length

    def _block(self, number: int) -> bytes:
        with self._lock:
            if number in self._cache:
                found = self._cache.pop(number)
            else:
                offset, packed, unpacked = self._blocks[number]
                if self._file.closed:
                    raise DumpError(f"{self.path.name} is closed", todo="open it again")
                self._file.seek(offset)
                found = self._unpack(self._file.read(packed), unpacked)
            self._cache[number] = found  # the most recently used is the last
            while len(self._cache) > _CACHED_BLOCKS:
                del self._cache[next(iter(self._cache))]
        return found

    def close(self) -> None:
        """Close the file; reading afterwards is an error."""
        self._file.close()


class PieceSource:
    """The bytes of a dump, as a sequence of pieces: a `Source`."""

    def __init__(self, reader: BlockReader, pieces: Sequence[int]) -> None:
        self._reader = reader
        self._pieces = pieces
        self._ends = list(accumulate(reader.length(number) for number in pieces))

    @property
    def size(self) -> int:
        """Number of bytes."""
        return self._ends[-1] if self._ends else 0

    def read(self, start: int, end: int) -> bytes:
        """The bytes of `[start, end)`."""
        found = []
        k = bisect_right(self._ends, start)
        while k < len(self._ends) and start < end:
            first = self._ends[k - 1] if k else 0
            piece = self._reader.piece(self._pieces[k])
            found.append(piece[start - first : end - first])
            start = self._ends[k]
            k += 1
        return b"".join(found)

    def close(self) -> None:
        """Close the stored file."""
        self._reader.close()
