_GOOD = (
    "iree-run-module",
    "--module=axpb.vmfb",
    "--device=local-task",
    "--function=axpb",
    "--input=4xf32=1 2 3 4",
)


def _with(place: int, argument: str) -> list[str]:
    return [*_GOOD[:place], argument, *_GOOD[place + 1 :]]


wrong = {
    "no driver 'cpu'": _with(2, "--device=cpu"),
    "no function `main`": _with(3, "--function=main"),
    "element type mismatch": _with(4, "--input=4xf64=1 2 3 4"),
    "shape dimension": _with(4, "--input=5xf32=1 2 3 4 5"),
    "4xf32=3 5 7 11": _with(4, "--input=4xf32=1 2 3 5"),
    "iree-benchmark-module": _with(0, "iree-benchmark-module"),
    "4xf32=-1 1 3 5": _with(4, "--input=4xf32=-1 0 1 2"),
    "an empty list": [],
    "EXEC @axpb": [*_GOOD, "--output=@none.npy"],
    "one text": " ".join(_GOOD),
}
