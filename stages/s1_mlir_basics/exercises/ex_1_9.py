from iree.compiler import ir


def answer(op: ir.Operation, pass_: object) -> None:
    raise NotImplementedError
