"""The only transient resource holds 4 × 32 hidden values of 4 bytes."""

answer = 512
