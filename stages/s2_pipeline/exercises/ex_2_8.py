def answer(before: str, after: str) -> bool:
    raise NotImplementedError
