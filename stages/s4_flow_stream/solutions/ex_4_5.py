"""One after the other: a value is gone before the next one comes."""

answer = "--iree-stream-partitioning-favor=debug"
