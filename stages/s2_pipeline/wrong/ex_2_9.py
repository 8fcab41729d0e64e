wrong = {
    "swapped": {"t": "BaseVectorize", "g": "DoubleTilingExpert"},
    "g: DoubleTilingExpert is not its pipeline, but that of the other trace": {
        "t": "DoubleTilingExpert",
        "g": "DoubleTilingExpert",
    },
    "t: lowering_config is not": {"t": "lowering_config", "g": "BaseVectorize"},
    "only the word in <…>": {"t": "CPUDoubleTilingExpert", "g": "BaseVectorize"},
    "['t']": {"t": "DoubleTilingExpert"},
    "a tuple": ("DoubleTilingExpert", "BaseVectorize"),
}
