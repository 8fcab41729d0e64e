import re


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


def _none(text: str) -> None:
    text.replace("arith.maximumf", "arith.minimumf")


def _swapped(text: str) -> str:
    return re.sub(r"(maximumf) (%\w+), (%\w+)", r"\1 \3, \2", text)


def _name(text: str) -> str:
    return text.replace("arith.maximumf", "arith.minimumf").replace("@mlp(", "@min(")


def _not_there(text: str) -> str:
    at = text.index("arith.maxf")
    return text[:at] + "arith.minf" + text[at:]


wrong = {
    "is there a return?": _none,
    "changes no result": _swapped,
    "a module with @mlp": _name,
    "ValueError: substring not found": _not_there,
    "as it was": _same,
    "other numbers": _bias,
    "compiles": _no_such_op,
    "list": _lines,
}
