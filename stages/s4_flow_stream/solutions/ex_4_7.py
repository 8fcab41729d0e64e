"""A constant of its own for the maximum; the product still begins with 0."""

import re


def answer(text: str) -> str:
    text = re.sub(
        r"( *)(%\w+) = arith\.constant 0\.000000e\+00 : f32\n",
        r"\g<0>\1%half = arith.constant 5.000000e-01 : f32\n",
        text,
        count=1,
    )
    return re.sub(r"(arith\.maximumf %\w+), %\w+ : f32", r"\1, %half : f32", text)
