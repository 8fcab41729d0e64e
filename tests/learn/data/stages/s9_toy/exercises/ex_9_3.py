answer = "func.func TODO() { return }"
