"""A recording with the buffers of one call in it is good for that call only: it is never kept."""

answer = {
    "table": ["--iree-hal-memoization=false"],
    "no table": ["--iree-hal-indirect-command-buffers=false"],
}
