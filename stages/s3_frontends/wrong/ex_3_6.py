def _same(body: str) -> str:
    return body


def _minimum(body: str) -> str:
    return body.replace("arith.cmpf ugt", "arith.cmpf ult")


def _none(body: str) -> None:
    body.replace("arith.select", "arith.maximumf")


wrong = {
    "the text is as it was": _same,
    "they still differ": _minimum,
    "a NoneType": _none,
}
