"""A dump: its snapshots in order, the noise between them, and the text of each when you ask.

    dump = open_dump("dump.txt")        # a file, "-" for stdin, bytes, a folder, a stored trace
    dump[3].name                        # 'canonicalize'
    dump.text(3)                        # the IR, without compiler warnings that landed in it
    dump.report()                       # counts; unattributed bytes are computed, and 0

Nothing is lost: header lines, bodies, noise and what `only` hides lie side by side, and
`b"".join(dump.parts())` is the input again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, overload

from .snapshot import Noise, Snapshot
from .source import Source
from .view import only

__all__ = ["Dump", "Part", "Report", "open_dump"]


@dataclass(frozen=True, slots=True)
class Part:
    """A run of bytes with one meaning."""

    start: int
    end: int
    kind: Literal["header", "body", "noise", "hidden"]


@dataclass(frozen=True, slots=True)
class Report:
    """Counts of what a dump holds."""

    snapshots: int
    failed: int
    "snapshots of passes that failed"
    distinct: int
    "different texts among the snapshots"
    unknown_headers: int
    "header-like lines that no known grammar fits; each starts a snapshot without a pass name"
    noise: int
    "places with text that is not IR, the preamble included"
    noise_bytes: int
    hidden: int
    "snapshots that a filter (`only`) left out"
    hidden_bytes: int
    size: int
    "bytes of the whole dump, what is hidden included"
    unattributed_bytes: int
    "bytes that are in none of header lines, bodies, noise, hidden: 0, or the reader has a bug"

    def __str__(self) -> str:
        lines = [
            f"{self.snapshots} snapshots ({self.distinct} distinct, {self.failed} failed), "
            f"{self.size:,} bytes"
        ]
        if self.hidden:
            lines.append(f"{self.hidden} snapshots hidden ({self.hidden_bytes:,} bytes)")
        if self.noise:
            lines.append(f"{self.noise} places with other text ({self.noise_bytes:,} bytes)")
        if self.unknown_headers:
            lines.append(f"{self.unknown_headers} header-like lines not understood")
        lines.append(f"{self.unattributed_bytes} bytes unattributed")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Dump:
    """Snapshots and noise of one compiler run, over the bytes they are places in.

    Indexing, slicing and iteration go over the snapshots; `dump[i].index == i` always.
    """

    source: Source
    snapshots: tuple[Snapshot, ...]
    noise: tuple[Noise, ...]
    "by position; the text of none of them is in `text(i)`"
    origin: str
    "where it came from, for people: a path, `stdin`, `memory`"
    hidden: int = 0
    "number of snapshots that `only` left out"
    hidden_ranges: tuple[tuple[int, int], ...] = ()
    "their places, with headers and noise, neighbours merged"

    def __len__(self) -> int:
        return len(self.snapshots)

    def __iter__(self) -> Iterator[Snapshot]:
        return iter(self.snapshots)

    @overload
    def __getitem__(self, index: int) -> Snapshot: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Snapshot, ...]: ...

    def __getitem__(self, index: int | slice) -> Snapshot | tuple[Snapshot, ...]:
        return self.snapshots[index]

    def __repr__(self) -> str:
        hidden = f", {self.hidden} hidden" if self.hidden else ""
        return f"Dump({len(self)} snapshots{hidden}, {self.size:,} bytes, {self.origin})"

    # Text

    def text(self, which: int | Snapshot) -> str:
        """The IR of a snapshot: its body without noise; CRLF is kept.

        Bytes that are not UTF-8 become U+FFFD; `ir` has them as they are.
        """
        return self.ir(which).decode("utf-8", "replace")

    def ir(self, which: int | Snapshot) -> bytes:
        """The bytes of a snapshot's body without noise."""
        snapshot = self._snapshot(which)
        gaps = self._gaps.get(snapshot.index, ())
        return b"".join(
            self.source.read(start, end)
            for start, end in _outside(snapshot.body, snapshot.end, gaps)
        )

    def raw(self, which: int | Snapshot) -> bytes:
        """All bytes of a snapshot as they are in the dump: header line, body, noise."""
        snapshot = self._snapshot(which)
        return self.source.read(snapshot.start, snapshot.end)

    def noise_text(self, noise: Noise) -> str:
        """What a noise says, e.g. the warning with its source line."""
        return self.source.read(noise.start, noise.end).decode("utf-8", "replace")

    def _snapshot(self, which: int | Snapshot) -> Snapshot:
        return self.snapshots[which] if isinstance(which, int) else which

    # Accounting

    @property
    def size(self) -> int:
        """Bytes of the whole dump, what is hidden included."""
        return self.source.size

    @cached_property
    def failed(self) -> tuple[Snapshot, ...]:
        """Snapshots of passes that failed; the first is the culprit, the rest enclose it."""
        return tuple(each for each in self.snapshots if each.header.failed)

    @cached_property
    def distinct(self) -> int:
        """Number of different texts among the snapshots."""
        return len({each.content for each in self.snapshots})

    @cached_property
    def noise_bytes(self) -> int:
        """Bytes of warnings, tables, preamble and the like."""
        return sum(each.end - each.start for each in self.noise)

    @cached_property
    def unattributed_bytes(self) -> int:
        """Bytes of the source that no part covers, plus bytes that two parts claim."""
        position = wrong = 0
        for part in self.spans():
            wrong += abs(part.start - position)
            position = part.end
        return wrong + abs(self.size - position)

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers, in order of first occurrence."""
        return tuple(dict.fromkeys(each.layer for each in self.snapshots))

    def spans(self) -> Iterator[Part]:
        """Everything that is known, in the order of the bytes."""
        spans = [Part(each.start, each.end, "noise") for each in self.noise]
        spans += [Part(start, end, "hidden") for start, end in self.hidden_ranges]
        for each in self.snapshots:
            spans.append(Part(each.start, each.body, "header"))
            gaps = self._gaps.get(each.index, ())
            spans += [Part(*ends, "body") for ends in _outside(each.body, each.end, gaps)]
        return iter(sorted(spans, key=lambda part: part.start))

    def parts(self) -> Iterator[bytes]:
        """The bytes of `spans()`, one by one: joined, they are the input."""
        return (self.source.read(part.start, part.end) for part in self.spans())

    def report(self) -> Report:
        """Counts of what is here, and of what is not understood."""
        return Report(
            snapshots=len(self),
            failed=len(self.failed),
            distinct=self.distinct,
            unknown_headers=sum(each.header.when is None for each in self.snapshots),
            noise=len(self.noise),
            noise_bytes=self.noise_bytes,
            hidden=self.hidden,
            hidden_bytes=sum(end - start for start, end in self.hidden_ranges),
            size=self.size,
            unattributed_bytes=self.unattributed_bytes,
        )

    @cached_property
    def _gaps(self) -> dict[int, list[Noise]]:
        """Noise by the snapshot it lies in."""
        found: dict[int, list[Noise]] = {}
        for each in self.noise:
            found.setdefault(each.after, []).append(each)
        return found

    # Views

    def only(self, pattern: str) -> Dump:
        """The snapshots of one symbol or dispatch, e.g. `"@main*"`, `"*_dispatch_0*"`.

        The pattern is a shell glob; it is compared with the symbol at the root of the body, the
        symbol in the header, and the dispatch. The rest is hidden, not lost: it is counted in
        `hidden`. Snapshots are numbered anew; `same_as` points at the first equal one that is
        still there.

        Raises:
            DumpError: no snapshot matches; the message has near symbols.
        """
        return only(self, pattern)

    def close(self) -> None:
        """Close the file; the snapshots stay, their text does not."""
        self.source.close()


def open_dump(what: Path | str | bytes) -> Dump:
    """The dump in a file, a pipe, memory, a folder or a stored trace, with its layers.

    Args:
        what: a path; `"-"` for stdin (copied to a temporary file); the bytes, or a text of more
            than one line; a folder written by `--mlir-print-ir-tree-dir` or by
            `--dump-compilation-phases-to`; a `.trace` that was saved.

    Raises:
        DumpError: there is no dump in it; the message says what it is instead.
    """
    # Both build a Dump, so they can be imported only when this module is complete.
    from .layers import assign
    from .opening import opened

    dump = opened(what)
    return assign(dump) if set(dump.layers) <= {"unknown"} else dump


def _outside(start: int, end: int, gaps: list[Noise] | tuple[()]) -> Iterator[tuple[int, int]]:
    """What is left of `[start, end)` without the gaps, which are sorted."""
    for gap in gaps:
        if start < gap.start:
            yield start, gap.start
        start = gap.end
    if start < end:
        yield start, end
