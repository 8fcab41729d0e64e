wrong = {
    "a batch of 4": 512,
    "the result": 640,
    "the input": 4096,
    "a whole number": "2048 bytes",
    "not what is marked transient": 64,
}
