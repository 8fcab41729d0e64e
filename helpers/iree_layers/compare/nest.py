"""The ops that passes run on, as a tree that follows a compile: each holds its newest text.

At op scope a dump shows after each pass only the op that the pass ran on. `Nest` puts such
snapshots together again: a whole module is cut into the ops that passes run on (functions,
executables, variants, inner modules), and every later snapshot of one of them replaces its text.
So the text of any op, as it is just before a pass prints, can be asked for.

Ops are found by indentation, as the printer of MLIR lays them out (3.13): the first line holds
op and symbol, the last one is the closing brace in the same column. Ops printed in generic form
are not found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..dump.root import root_of
from .blobs import continued
from .normalise import definitions, spell_out, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

__all__ = ["Nest", "Node", "kind"]

_EXECUTABLE = ".executable"


@dataclass(eq=False, slots=True)
class Node:
    """One op that passes run on."""

    op: str
    symbol: str | None
    parts: list[str | Node]
    "its lines, from column 0 on (those of an attribute that `continued` as one); or an inner op"
    columns: dict[int, int]
    "column of each inner op, by its place in `parts`"
    table: Mapping[str, str]
    "aliases that the lines use, with what they stand for"
    margin: tuple[str, ...] = ()
    "lines that define aliases, where the text has them"
    parent: Node | None = None
    index: int | None = None
    "snapshot that the text was taken from; None: it is a part of the parent's"
    content: str | None = None
    "content of the snapshot that this text is equal to, None if it is not known"
    inner: int = 0
    "snapshots of inner ops that came since"
    dispatch: str | None = None
    "executable that it is part of, where its snapshot says so"

    def walk(self) -> Iterator[Node]:
        """This op and all inner ones, in the order of the text."""
        yield self
        for part in self.parts:
            if isinstance(part, Node):
                yield from part.walk()

    def owner(self) -> str | None:
        """Symbol of the executable that it is part of."""
        node: Node | None = self
        while node is not None:
            if node.dispatch:
                return node.dispatch
            if node.op.endswith(_EXECUTABLE):
                return node.symbol
            node = node.parent
        return None

    def symbols(self) -> frozenset[str]:
        """Symbols of the ops in it."""
        return frozenset(node.symbol for node in self.walk() if node.symbol and node is not self)

    def source(self) -> int | None:
        """Snapshot that the text was taken from, its own or that of an enclosing op."""
        node: Node | None = self
        while node is not None:
            if node.index is not None:
                return node.index
            node = node.parent
        return None

    def text(self) -> str:
        """The op as the compiler prints it alone: from column 0, aliases spelled out.

        A text that came with its own definitions of aliases keeps them.
        """
        if self.margin:
            return "\n".join([*self.margin, *self._lines(spelled=False)])
        lines = self._lines(spelled=True)
        if lines and lines[0].startswith("builtin.module"):
            lines[0] = lines[0].removeprefix("builtin.")
        return "\n".join(lines)

    def _lines(self, *, spelled: bool) -> list[str]:
        own = [part if isinstance(part, str) else "" for part in self.parts]
        if spelled and self.table:
            # A part can have several lines, and no text here has this line end.
            own = spell_out("\r\n".join(own), self.table).split("\r\n")
        lines: list[str] = []
        for place, part in enumerate(self.parts):
            if isinstance(part, str):
                lines.append(own[place])
                continue
            # What shares the table of aliases keeps its aliases.
            inner = part._lines(spelled=spelled or part.table is not self.table)
            if self.op != part.op and inner and inner[0].startswith("module"):
                inner[0] = f"builtin.{inner[0]}"
            pad = " " * self.columns[place]
            lines += [pad + line if line else line for line in inner]
        return lines


def kind(op: str) -> str:
    """One name for an op that is printed in two ways."""
    return "module" if op == "builtin.module" else op


@dataclass(slots=True)
class Nest:
    """The newest text of every op of one compiler run."""

    kinds: Collection[str]
    "ops that are looked for: those that passes run on, as they are printed"
    root: Node | None = None
    "the module that holds everything else"
    loose: list[Node] = field(default_factory=list)
    "ops that no module has shown yet: a pass that is still at work made them"
    last: Node | None = None
    "the op of the latest snapshot"
    _index: dict[tuple[str, str | None], list[Node]] | None = None

    def find(self, op: str, symbol: str | None) -> Sequence[Node]:
        """Ops of that name and symbol, in the order of the text."""
        if self._index is None:
            self._index = {}
            for top in (self.root, *self.loose):
                for node in top.walk() if top else ():
                    self._index.setdefault((node.op, node.symbol), []).append(node)
        return self._index.get((kind(op), symbol), ())

    def replace(self, node: Node | None, new: Node) -> None:
        """Put a new text in the place of an op, or beside all if there is no such op."""
        if node is None and (self.root is not None or new.op != "module"):
            self.loose.append(new)
        elif node is None or node is self.root:
            self.root = new
            self.loose.clear()
        elif node.parent is None:
            self.loose[self.loose.index(node)] = new
        else:
            place = next(k for k, part in enumerate(node.parent.parts) if part is node)
            node.parent.parts[place] = new
            new.parent = node.parent
            new.dispatch = new.dispatch or node.dispatch
        self._index = None
        self.touch(new)

    def touch(self, node: Node) -> None:
        """Note on every enclosing op that an inner one was printed."""
        self.last = node
        above = node.parent
        while above is not None:
            above.inner += 1
            above = above.parent


def parse(text: str, kinds: Collection[str]) -> Node | None:
    """Cut a text into the ops that passes run on; None if there is no op in it."""
    lines = text.rstrip("\n").split("\n")
    found = definitions(lines)
    gone = {k for each in found for k in range(each.start, each.end)}
    body = [k for k, line in enumerate(lines) if k not in gone and line[:2] not in ("", "//")]
    if not body:
        return None
    first, last = body[0], body[-1] + 1
    margin = [lines[k] for k in sorted(gone)]
    op, symbol = _anchor(lines[first])
    root = Node(op or "", symbol, [], {}, table_of(found, printed=True), tuple(margin))
    _fill(root, _parts(lines[first:last]), kinds)
    return root


def _parts(lines: list[str]) -> list[str]:
    """Lines, with those that belong together as one."""
    for start, end in reversed(list(continued(lines))):
        lines[start:end] = ["\n".join(lines[start:end])]
    return lines


def _anchor(line: str) -> tuple[str | None, str | None]:
    data = line.encode()
    op, symbol = root_of(data, 0, len(data))
    return (None if op is None else kind(op)), symbol


def _fill(root: Node, lines: Sequence[str], kinds: Collection[str]) -> None:
    """Distribute lines over a root and the ops in it."""
    open_ops: list[tuple[Node, int]] = [(root, 0)]
    root.parts.append(lines[0])
    for at, line in enumerate(lines[1:], start=1):
        node, column = open_ops[-1]
        stripped = line.lstrip(" ")
        here = len(line) - len(stripped)
        if stripped.partition(" ")[0] in kinds:
            op, symbol = _anchor(stripped)
            child = Node(op or "", symbol, [stripped], {}, root.table, (), node)
            node.columns[len(node.parts)] = here - column
            node.parts.append(child)
            if at + 1 < len(lines) and _column(lines[at + 1]) >= here and line.endswith("{"):
                open_ops.append((child, here))
            continue
        node.parts.append(line[column:] if here >= column else stripped)
        if len(open_ops) > 1 and here == column and stripped.startswith("}"):
            open_ops.pop()


def _column(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
