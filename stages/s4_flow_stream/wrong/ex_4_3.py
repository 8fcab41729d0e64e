wrong = {
    "still the same after it": "iree-dispatch-creation-elementwise-op-fusion",
    "they differ earlier": "iree-flow-outline-dispatch-regions",
    "the argument of a pass of this compile": "fusion",
}
