wrong = {
    "does each kernel survive": {"as it is": 3, "unlinked": 6},
    "2 kernels, 3": {"as it is": 1, "unlinked": 4},
    "as it is: 2, one too many": {"as it is": 2, "unlinked": 6},
    "unlinked: 7, one too many": {"as it is": 1, "unlinked": 7},
    "whole numbers": {"as it is": "one", "unlinked": 6},
    "a dict with both numbers": 6,
}
