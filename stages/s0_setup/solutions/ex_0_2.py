answer = [
    "iree-run-module",
    "--module=axpb.vmfb",
    "--device=local-task",
    "--function=axpb",
    "--input=4xf32=1 2 3 4",
]
