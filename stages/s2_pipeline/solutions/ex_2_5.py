def answer(text: str) -> str:
    return text.replace("arith.maximumf", "arith.minimumf")
