"""C[i, j] += A[i, k] · B[j, k]: the loops are i, j and k; each map says which of them index it."""

answer = [
    "affine_map<(i, j, k) -> (i, k)>",
    "affine_map<(i, j, k) -> (j, k)>",
    "affine_map<(i, j, k) -> (i, j)>",
]
