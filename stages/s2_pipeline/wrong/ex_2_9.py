wrong = {
    "swapped": {"t": "BaseVectorize", "g": "DoubleTilingExpert"},
    "g: DoubleTilingExpert is not": {"t": "DoubleTilingExpert", "g": "DoubleTilingExpert"},
    "t: lowering_config is not": {"t": "lowering_config", "g": "BaseVectorize"},
    "both t and g": {"t": "DoubleTilingExpert"},
}
