"""Signatures of a module's functions, read from the text that the compiler leaves in the module.

In: `iree.abi.declaration`, e.g. `sync func @mlp(%input0: tensor<4x8xf32>) -> (%output0: f32)`
(3.13.0; `iree-dump-module` and the runtime's reflection give the same text). Out: a `Signature`,
whose `str()` is how the function is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["Signature", "ValueType", "parse_declaration", "parse_type"]


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of one argument or result."""

    kind: Literal["tensor", "scalar", "other"]
    dtype: str
    "MLIR's name of the element type (`f32`, `i1`, `ui8`, `index`); '' for kind `other`"
    shape: tuple[int | None, ...]
    "sizes of a tensor, None where the size is free; () for a scalar"
    text: str
    "as MLIR writes it, e.g. `tensor<4x?xf32>`"

    def __str__(self) -> str:
        """The short form: `4x?xf32`; `f32` for a scalar and for a tensor without dimensions."""
        if self.kind == "other":
            return self.text
        sizes = ["?" if size is None else str(size) for size in self.shape]
        return "x".join([*sizes, self.dtype])


@dataclass(frozen=True, slots=True)
class Signature:
    """How one function is called."""

    name: str
    arguments: tuple[ValueType, ...]
    results: tuple[ValueType, ...]
    asynchronous: bool = False
    "it takes two fences after its arguments: one to wait for, one to signal"
    declared: bool = True
    "False when the module says nothing about the types"

    def __str__(self) -> str:
        if not self.declared:
            return f"{self.name}(?)"
        arguments = ", ".join(str(one) for one in self.arguments)
        results = ", ".join(str(one) for one in self.results) or "()"
        prefix = "async " if self.asynchronous else ""
        return f"{prefix}{self.name}({arguments}) -> {results}"


# `tensor<4x8xf32>`, `tensor<?x8xcomplex<f32>>`, `tensor<f32>`, `tensor<4xf32, #some.encoding>`
_TENSOR = re.compile(r"^tensor<((?:(?:\d+|\?)x)*)([^,]+)(?:,.*)?>$", re.DOTALL)
# `i32`, `si8`, `f8E4M3FN`, `bf16`, `index`, `complex<f32>`
_SCALAR = re.compile(r"^(?:[su]?i\d+|bf16|f\d\w*|index|complex<\w+>)$")
# `sync func @mlp(`, `async func @main(`, and names with blanks: `sync func @we ird, (f)(%input0`
_HEAD = re.compile(r"^(?P<how>a?sync) func @(?P<name>.*?)\((?=%|\) -> \()", re.DOTALL)
# `%input0: `
_LABEL = re.compile(r"^%[\w$.-]+:\s*")


def parse_declaration(text: str) -> Signature | None:
    """The signature that a declaration states, None if it is not written as one."""
    head = _HEAD.match(text)
    if head is None:
        return None
    arguments, end = _list(text, head.end())
    rest = text[end:]
    results: tuple[ValueType, ...] = ()
    # `) -> (%output0: f32)` and `) -> ()`
    if rest.startswith(" -> ("):
        results, _ = _list(rest, len(" -> ("))
    return Signature(head["name"], arguments, results, head["how"] == "async")


def parse_type(text: str) -> ValueType:
    """One MLIR type; whatever arrays and numbers cannot be has the kind `other`."""
    tensor = _TENSOR.match(text)
    if tensor:
        sizes = tensor[1].split("x")[:-1]
        shape = tuple(None if size == "?" else int(size) for size in sizes)
        return ValueType("tensor", tensor[2].strip(), shape, text)
    if _SCALAR.match(text):
        return ValueType("scalar", text, (), text)
    return ValueType("other", "", (), text)


def _list(text: str, start: int) -> tuple[tuple[ValueType, ...], int]:
    """The types up to the bracket that closes the list, and the place after that bracket."""
    depth, begin, position = 0, start, start
    items: list[str] = []
    quoted = False
    while position < len(text):
        char = text[position]
        if char == '"':
            quoted = not quoted
        elif quoted:
            pass
        elif char in "(<[{":
            depth += 1
        elif char in ")>]}":
            if depth == 0:
                break
            depth -= 1
        elif char == "," and depth == 0:
            items.append(text[begin:position])
            begin = position + 1
        position += 1
    items.append(text[begin:position])
    return tuple(_item(item) for item in items if item.strip()), position + 1


def _item(text: str) -> ValueType:
    # `%input0: tensor<4xf32> {iree.identifier = "image"}`: the attributes do not change the call
    typed = _LABEL.sub("", text.strip())
    return parse_type(typed.partition(" {")[0].strip())
