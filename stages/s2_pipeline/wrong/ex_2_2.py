from stages.s2_pipeline.solutions.ex_2_2 import answer as _good

_hal_first = [*_good[:4], "hal", "stream", "executable-targets", "vm"]
_codegen_last = [*_good[:5], "hal", "vm", "executable-targets"]

wrong = {
    "stream before hal": _hal_first,
    "executable-targets before vm": _codegen_last,
    "all eight": _good[:-1],
    "no layer": [*_good[:-1], "bytecode"],
}
