"""A symbol has an @."""

answer = "func.func @f() { return }"
