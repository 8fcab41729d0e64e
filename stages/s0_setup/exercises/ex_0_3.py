answer = [
    "iree-run-module",
    "--module=axpb.vmfb",
    "--device=cpu",
    "--function=main",
    "--input=4xf64=1 2 3 4",
]
