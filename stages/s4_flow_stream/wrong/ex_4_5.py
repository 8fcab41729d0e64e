wrong = {
    "98,304 bytes": "--iree-stream-partitioning-favor=max-concurrency",
    "a flag that iree-compile takes": "--iree-stream-partitioning-favor=memory",
    "with its two dashes": "debug",
}
