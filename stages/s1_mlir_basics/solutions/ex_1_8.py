"""Three passes swap operands. Sums and products do not care; a difference does."""

answer = "normalise-operands"
