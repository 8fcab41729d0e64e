from itertools import pairwise

wrong = {
    "values that are not alive at the same time": sum,
    "a free place that is too small": lambda sizes: max(a + b for a, b in pairwise(sizes)),
    "which values are alive": max,
}
