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
    "the name of the device": _with(2, "--device=cpu"),
    "the name of the function": _with(3, "--function=main"),
    "the element type": _with(4, "--input=4xf64=1 2 3 4"),
    "the shape": _with(4, "--input=5xf32=1 2 3 4 5"),
    "the values": _with(4, "--input=4xf32=1 2 3 5"),
    "iree-run-module, as before": _with(0, "iree-benchmark-module"),
}
