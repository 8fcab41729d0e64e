wrong = {
    "a batch of 4": 512,
    "the result": "640",
    "all that is allocated": 2688,
    "the input": 4096,
    "the weights": 9472,
    "a whole number of bytes": "2048 bytes, or 2 KiB",
    "64 bytes are not transient": 64,
}
