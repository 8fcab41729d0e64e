"""One operation inside the executable is the relu; all layers below take over the new one."""


def answer(text: str) -> str:
    return text.replace("arith.maximumf", "arith.minimumf")
