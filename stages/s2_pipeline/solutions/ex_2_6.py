"""The hidden layer of a batch: 16 × 32 values of 4 bytes; one transient resource holds it."""

answer = 2048
