def _same(text: str) -> str:
    return text


def _comment(text: str) -> str:
    return "// arith.minimumf\n" + text


def _bias(text: str) -> str:
    return text.replace("arith.addf", "arith.subf")


def _no_such_op(text: str) -> str:
    return text.replace("arith.maximumf", "arith.min")


def _lines(text: str) -> object:
    return text.splitlines()


wrong = {
    "as it was": _same,
    "still max": _comment,
    "other numbers": _bias,
    "compiles": _no_such_op,
    "list": _lines,
}
