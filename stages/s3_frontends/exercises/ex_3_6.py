def answer(body: str) -> str:
    raise NotImplementedError
