"""Linking makes one executable of all kernels, for one backend: the others are lost (3.13.0)."""

answer = {"as it is": 1, "unlinked": 6}
