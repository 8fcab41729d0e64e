"""The dispatch graph: which kernels a function launches, and which tensors go from one to the next.

In: the program at the end of `flow`. Out: nodes and edges as plain values. A kernel is described by
the ops in its body; the one that gave it its form (a reduction, a product, a named op) is its root.
Rests on the ops `flow.dispatch`, `flow.executable` and `hal.tensor.import/export` (3.13.0).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..compile.build import build
from ..compile.printing import ELIDE
from ..compile.program import program
from ..compile.target import Target
from ..dump.trace import Trace
from ..errors import DumpError
from .kernels import Kernel, kernels_of
from .live import functions, parsed, short, walk
from .predecessor import before

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Edge", "Graph", "Kernel", "Vertex", "flow_text", "graph", "kernels"]


@dataclass(frozen=True, slots=True)
class Vertex:
    """One node: an op of the host program that takes or makes tensors."""

    number: int
    op: str
    "`flow.dispatch`, `hal.tensor.import`, `util.global.load`, …"
    name: str
    "kernel, global, input or output that it is about; '' if none"
    type: str
    "type of what it makes, or of what it takes if it makes nothing"
    kernel: Kernel | None = None

    @property
    def is_dispatch(self) -> bool:
        """It launches a kernel."""
        return self.op == "flow.dispatch"


@dataclass(frozen=True, slots=True)
class Edge:
    """A tensor that one vertex makes and another takes."""

    source: int
    target: int
    type: str


@dataclass(frozen=True)
class Graph:
    """Launches of one function and the tensors between them."""

    function: str
    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]
    others: tuple[str, ...] = ()
    "functions and initialisers that launch kernels too"

    @property
    def dispatches(self) -> tuple[Vertex, ...]:
        """Vertices that launch a kernel, in the order of the program."""
        return tuple(v for v in self.vertices if v.is_dispatch)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """Different kernels, in order of first launch; fewer than dispatches if some are shared."""
        return tuple(dict.fromkeys(v.kernel for v in self.dispatches if v.kernel))

    def __repr__(self) -> str:
        return (
            f"Graph({self.function}: {len(self.dispatches)} dispatches of "
            f"{len(self.kernels)} kernels, {len(self.edges)} edges)"
        )


def graph(source: object, *inputs: Any, function: str | None = None) -> Graph:
    """The dispatch graph of a program, a trace, or the text of phase `flow`.

    Args:
        source: a `Trace`, MLIR text at the end of `flow`, or what `program` takes (it is compiled
            up to `flow`, for `Target.TEXT`).
        inputs: example inputs, for a torch module or a JAX function.
        function: name of a function, or `initializer 0`; default: the first that launches anything.

    Raises:
        DumpError: nothing is dispatched there, or there is no such function.
        CompileError: the program does not compile up to `flow`.
    """
    return _graph(parsed(flow_text(source, *inputs), "the end of flow"), function)


def kernels(source: object, *inputs: Any) -> Mapping[str, Kernel]:
    """All kernels of a program by the name of their executable; `source` as for `graph`."""
    module = parsed(flow_text(source, *inputs), "the end of flow")
    return {kernel.executable: kernel for kernel in kernels_of(module)}


def flow_text(source: object, *inputs: Any) -> str:
    """The whole program at the end of `flow`, long constants left out."""
    if isinstance(source, Trace):
        # The first pass of `stream` runs on the module: the text before it is the end of `flow`.
        first = next((s for s in source if s.layer == "stream"), None)
        if first is None:
            raise DumpError(
                f"{source!r} does not reach the end of flow",
                expected="a trace with the layer stream",
            )
        return before(source, first.index).text
    if isinstance(source, str) and "flow.executable" in source:
        return source
    made = build(program(source, *inputs), Target.TEXT, compile_to="flow", flags=ELIDE)
    return made.vmfb.read_text(encoding="utf-8")


def _graph(module: Any, function: str | None) -> Graph:
    known = {kernel.name: kernel for kernel in kernels_of(module)}
    found = dict(functions(module))
    busy = [name for name, op in found.items() if any(_launches(op))]
    if function is None:
        main = [name for name in busy if not name.startswith("initializer")]
        function = next(iter(main or busy), None)
    if function not in found or function not in busy:
        what = "nothing is dispatched" if function in (None, *found) else "there is no function"
        raise DumpError(
            f"{what} in {function or 'this program'}",
            expected=f"one of {', '.join(busy)}" if busy else "a program that computes on tensors",
        )
    vertices, edges = _vertices(found[function], known)
    return Graph(function, vertices, edges, tuple(name for name in busy if name != function))


def _launches(op: Any) -> Iterator[Any]:
    return (inner for inner in walk(op) if inner.name == "flow.dispatch")


def _vertices(
    function: Any, known: dict[str, Kernel]
) -> tuple[tuple[Vertex, ...], tuple[Edge, ...]]:
    """Vertices of a function; ops between tensors that only rename (reshape) are looked through."""
    made: dict[Any, tuple[int, str]] = {}
    vertices: list[Vertex] = []
    edges: list[Edge] = []
    for op in _bodies_first(function):
        tensors = [value for value in _taken(op) if _is_tensor(value)]
        results = [value for value in op.results if _is_tensor(value)]
        if op.name.endswith((".yield", ".condition")) or not (tensors or results):
            continue
        if op.name in ("flow.tensor.reshape", "flow.tensor.bitcast", "tensor.cast"):
            if tensors[0] in made:
                made[results[0]] = made[tensors[0]]
            continue
        number = len(vertices)
        vertices.append(_vertex(number, op, results or tensors, known))
        made.update((value, (number, str(value.type))) for value in results)
        counted = Counter(made[value] for value in tensors if value in made)
        edges += [Edge(source, number, kind) for source, kind in counted]
    return tuple(vertices), tuple(edges)


def _bodies_first(op: Any) -> Iterator[Any]:
    """Ops in the order in which values are made: what a branch gives is made in its body."""
    for region in op.regions:
        for block in region:
            for inner in block:
                yield from _bodies_first(inner.operation)
                yield inner.operation


def _taken(op: Any) -> list[Any]:
    """Operands, and of control flow what its bodies yield."""
    taken = list(op.operands)
    for region in op.regions if op.name.startswith("scf.") else ():
        for block in region:
            last = [inner.operation for inner in block][-1:]
            taken += [value for each in last for value in each.operands]
    return taken


def _vertex(number: int, op: Any, values: list[Any], known: dict[str, Kernel]) -> Vertex:
    name, kernel = "", None
    if op.name == "flow.dispatch":
        # `[@mlp_dispatch_0::@mlp_dispatch_0_matmul_4x16x8_f32]`
        name = str(op.attributes["entry_points"]).strip("[]").rpartition("@")[2].strip('"')
        kernel = known.get(name)
    elif op.name in ("hal.tensor.import", "hal.tensor.export"):
        name = short(op.attributes["name"]) if "name" in op.attributes else ""
    elif "global" in op.attributes:
        name = short(op.attributes["global"])
    return Vertex(number, op.name, name, str(values[0].type), kernel)


def _is_tensor(value: Any) -> bool:
    return str(value.type).startswith("tensor<")
