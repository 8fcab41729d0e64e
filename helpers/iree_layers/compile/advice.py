"""What usually helps, by what the compiler said: one line for each reason that a model stays out.

In: the words of iree-compile. Out: what to do next, or ''. Each rule was seen with 3.13.0.
"""

from __future__ import annotations

import re

__all__ = ["advice"]

_RULES = (
    # failed to legalize operation 'torch.operator' …: %1 = "torch.operator"(…) <{name = "onnx.If"
    (
        r"failed to legalize operation 'torch\.operator'.*?\"onnx\.(If)\"",
        "an {0} gets in when its two branches give tensors of the same rank: make them so, or take "
        "the {0} out of the model and choose in the host program",
    ),
    # failed to legalize operation 'torch.operator' …: %0 = "torch.operator"(…) <{name = "onnx.Uns…"
    (
        r"failed to legalize operation 'torch\.operator'.*?\"(onnx\.\w+)\"",
        "{0} in this opset is not known to the compiler: upgrade the file (road='onnx:17'), "
        "or take the op out of the model",
    ),
    # failed to legalize operation 'stablehlo.dynamic_reshape' that was explicitly marked illegal
    (
        r"failed to legalize operation 'stablehlo\.(dynamic_\w+)'",
        "StableHLO can say {0}, the compiler has no lowering for it: export with fixed shapes, or "
        "from PyTorch by iree-turbine",
    ),
    # … 'stablehlo.custom_call' …<{call_target_name = "lapack_spotrf_ffi"
    (
        r"failed to legalize operation 'stablehlo\.custom_call'.*?call_target_name = \"([^\"]+)\"",
        "{0} is a call of a library of the framework: write this step with ordinary ops",
    ),
    # custom op 'tosa.const_shape' expected 'values'
    # inherent attribute 'name' cannot be parsed from attr-dict when strict properties …
    (
        r"custom op '(tosa\.\w+)' expected '",
        "{0} is spelled otherwise in this release: give bytecode or the generic form, which do not "
        "depend on spelling",
    ),
    (
        r"inherent attribute '(\w+)' cannot be parsed from attr-dict",
        "since 3.13 {0} is a property and has a place of its own: parse the generic form, print it",
    ),
    # Dialect `toy' not found for custom op 'toy.twice'
    (
        r"Dialect `(\w+)' not found",
        "the compiler does not know the dialect {0}: lower it first, in the tool that made it",
    ),
    # failed to legalize operation 'torch.aten.foo' that was explicitly marked illegal
    (
        r"failed to legalize operation '(torch\.\S+)'",
        "{0} has no lowering here: rewrite it with other ops, or try road='torch-mlir:linalg'",
    ),
)


def advice(words: str) -> str:
    """What to do next about a compile error, '' if none of the known reasons fits.

    Args:
        words: the compiler's messages.
    """
    for pattern, text in _RULES:
        if found := re.search(pattern, words, re.DOTALL):
            return text.format(*found.groups())
    return ""
