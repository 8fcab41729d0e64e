"""The road of MLIR's Toy tutorial on IREE's Python bindings: its chapters 2 to 6, one module each.

source → ops.py (emit) → rewrite.py → inline.py → infer.py → lower.py → IREE
"""
