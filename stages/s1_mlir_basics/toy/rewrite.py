"""Chapter 3: rewrites that are always worth doing, applied until nothing changes."""

from __future__ import annotations

from iree.compiler import ir
from iree.compiler import rewrite as rw

__all__ = ["simplify", "twice_transposed", "unused"]


def defining(value: ir.Value) -> ir.Operation | None:
    """The op that makes a value; None for a block argument."""
    return None if isinstance(value, ir.BlockArgument) else value.owner.operation


def twice_transposed(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    """transpose(transpose(x)) → x. A pattern returns True when it does not apply."""
    inner = defining(op.operands[0])
    if inner is None or inner.name != "toy.transpose":
        return True
    rewriter.replace_op(op, [inner.operands[0]])
    return False


def unused(op: ir.Operation, rewriter: rw.PatternRewriter) -> bool:
    """Erase an op that nobody uses.

    MLIR would do it for an op that it knows to be *pure*. It knows nothing about ours.
    """
    if any(True for result in op.results for _ in result.uses):
        return True
    rewriter.erase_op(op)
    return False


def simplify(module: ir.Module) -> None:
    """Apply both until nothing changes."""
    patterns = rw.RewritePatternSet()
    patterns.add("toy.transpose", twice_transposed, benefit=2)
    for name in ("toy.transpose", "toy.cast", "toy.constant", "toy.mul", "toy.add"):
        patterns.add(name, unused, benefit=1)
    rw.apply_patterns_and_fold_greedily(module, patterns.freeze())
