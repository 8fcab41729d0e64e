"""An operation as a tree of plain values: what MLIR's own parser sees, free of its context.

Op ⊃ regions ⊃ blocks ⊃ ops; every value has a number, and operands name the numbers they use. Rests
on `iree.compiler.ir`, imported when a tree is grown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import LayersError

__all__ = ["Block", "Node", "Value", "grow"]

_ATTRIBUTE = 40
"characters of an attribute that are kept"


@dataclass(frozen=True, slots=True)
class Value:
    """One SSA value: the result of an op, or an argument of a block."""

    number: int
    "unique in its tree"
    name: str
    "as the printer calls it, e.g. `%0`"
    type: str


@dataclass(frozen=True, slots=True)
class Block:
    """A list of ops with arguments."""

    name: str
    "`^bb0`; unique in its region"
    arguments: tuple[Value, ...]
    ops: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """One operation and what is inside it."""

    name: str
    "dialect.op"
    symbol: str
    "its `sym_name` with the sign, e.g. `@mlp`; '' if it has none"
    results: tuple[Value, ...]
    operands: tuple[int, ...]
    "numbers of the values it uses; −1 for one from outside the tree"
    attributes: tuple[tuple[str, str], ...]
    "name and text, sorted by name; long ones are cut"
    regions: tuple[tuple[Block, ...], ...]
    successors: tuple[str, ...]
    "blocks of the same region where control may go on"

    def walk(self) -> Iterator[Node]:
        """This op, then all ops inside it, in the order of the text."""
        yield self
        for region in self.regions:
            for block in region:
                for op in block.ops:
                    yield from op.walk()

    @property
    def size(self) -> int:
        """Number of ops, this one too."""
        return sum(1 for _ in self.walk())


def grow(source: Any) -> Node:
    """The tree of a live op of `iree.compiler.ir`, or of MLIR text.

    Text is parsed in a context of its own; dialects that are not registered are taken too.

    Raises:
        LayersError: the text does not parse, with MLIR's words; or it is no op at all.
    """
    from iree.compiler import ir

    if isinstance(source, str):
        context = ir.Context()
        context.allow_unregistered_dialects = True
        try:
            with context:
                return grow(ir.Module.parse(source))
        except ir.MLIRError as error:
            raise LayersError(f"{error}", expected="MLIR text that parses") from error
    op = getattr(source, "operation", source)
    if not isinstance(op, ir.Operation):
        raise LayersError(
            f"there is no tree in a {type(source).__name__}",
            expected="an operation or a module of iree.compiler.ir, or MLIR text",
        )
    with op.context:
        return _Gardener(ir.AsmState(op)).node(op)


class _Gardener:
    """Numbers the values as they are met."""

    def __init__(self, state: Any) -> None:
        self._state = state
        self._numbers: dict[Any, int] = {}

    def node(self, op: Any) -> Node:
        results = tuple(self._value(result) for result in op.results)
        operands = tuple(self._numbers.get(operand, -1) for operand in op.operands)
        found = {name: str(op.attributes[name]) for name in _names(op)}
        symbol = found.pop("sym_name", "")
        return Node(
            name=op.name,
            symbol=f"@{symbol[1:-1]}" if symbol else "",
            results=results,
            operands=operands,
            attributes=tuple((name, _short(found[name])) for name in sorted(found)),
            regions=tuple(self._region(region) for region in op.regions),
            successors=(),
        )

    def _region(self, region: Any) -> tuple[Block, ...]:
        blocks = list(region)
        # A block may use what a later block defines, as long as control comes from there first.
        arguments = [tuple(map(self._value, block.arguments)) for block in blocks]
        for block in blocks:
            for op in block:
                for result in op.operation.results:
                    self._value(result)
        return tuple(
            Block(f"^bb{k}", mine, self._ops(block, blocks))
            for k, (block, mine) in enumerate(zip(blocks, arguments, strict=True))
        )

    def _ops(self, block: Any, blocks: list[Any]) -> tuple[Node, ...]:
        nodes = [self.node(op.operation) for op in block]
        after = tuple(f"^bb{blocks.index(successor)}" for successor in block.successors)
        if nodes and after:
            last = nodes[-1]
            nodes[-1] = Node(
                last.name, last.symbol, last.results, last.operands, last.attributes, last.regions,
                after,
            )  # fmt: skip
        return tuple(nodes)

    def _value(self, value: Any) -> Value:
        number = self._numbers.setdefault(value, len(self._numbers))
        return Value(number, value.get_name(self._state), str(value.type))


def _names(op: Any) -> list[str]:
    """Names of attributes; what iterating gives is a name or an object that has one."""
    return [name if isinstance(name, str) else name.name for name in op.attributes]


def _short(text: str) -> str:
    return text if len(text) <= _ATTRIBUTE else f"{text[: _ATTRIBUTE - 1]}…"
