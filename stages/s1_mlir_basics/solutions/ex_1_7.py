"""Bufferise with the function's own borders; the loops come from a pass on functions."""

answer = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries=true},"
    "func.func(convert-linalg-to-loops))"
)
