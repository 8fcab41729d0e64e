wrong = {
    "the input": 1024,
    "the result": 160,
    "the weights": 9472,
    "transient": 64,
}
