"""A CPU tiles twice, for cache and registers; a GPU spreads tiles over the threads of a group."""

answer = {"t": "DoubleTilingExpert", "g": "BaseVectorize"}
