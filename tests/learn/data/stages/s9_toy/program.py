"""What the toy stage runs."""


def lines() -> list[str]:
    """Three lines."""
    return ["one", "two", "three"]
