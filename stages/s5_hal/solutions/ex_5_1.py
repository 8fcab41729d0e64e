"""Both results lie in one allocation of 256 bytes; the second begins after 128."""

answer = {2: 0, 3: 128}
