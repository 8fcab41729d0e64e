"""A device is named by its driver; the function and the type are those that the module declares."""

answer = [
    "iree-run-module",
    "--module=axpb.vmfb",
    "--device=local-task",
    "--function=axpb",
    "--input=4xf32=1 2 3 4",
]
