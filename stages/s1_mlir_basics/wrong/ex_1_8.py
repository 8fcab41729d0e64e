wrong = {
    "commute-products swaps operands where": "commute-products",
    "changes attributes only": "make-private",
    "a pass of suspects()": "cse",
}
