wrong = {
    "allocated never falls": {"peak": 128, "allocated": 88, "freed": 100},
    "one buffer was gone by then": {"peak": 188, "allocated": 188, "freed": 100},
    "there was more before": {"peak": 88, "allocated": 188, "freed": 100},
    "a buffer nobody holds is freed": {"peak": 128, "allocated": 188, "freed": 0},
    "not what it says": {"peak": 256, "allocated": 188, "freed": 100},
    "a dict with peak, allocated and freed": 128,
}
