from typing import Any


def answer(device: Any, source: Any, target: Any, go: Any) -> Any:
    raise NotImplementedError
